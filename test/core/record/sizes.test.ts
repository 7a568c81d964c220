import { describe, expect, it } from 'vitest';
import { charsIn, contentSizes, systemSizes } from '../../../core/record/sizes.ts';

describe('contentSizes', () => {
  it('counts a plain string as text', () => {
    expect(contentSizes('héllo')).toEqual({
      textChars: 5,
      thinkingChars: 0,
      toolCallChars: 0,
      otherChars: 0,
      images: 0,
    });
  });

  it('counts each kind of block on its own', () => {
    const content = [
      { type: 'text', text: 'four' },
      { type: 'text', text: 'more' },
      { type: 'thinking', thinking: 'hm', thinkingSignature: 'opaque' },
      { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a.ts' } },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'invented', words: 'x' },
    ];
    const other = JSON.stringify({ type: 'invented', words: 'x' }).length;
    expect(contentSizes(content)).toEqual({
      textChars: 8,
      thinkingChars: 2,
      toolCallChars: 4 + '{"path":"a.ts"}'.length,
      otherChars: other,
      images: 1,
    });
  });

  it.each([[null], [undefined], [7], [{ type: 'text', text: 'no list' }]])(
    'gives nothing for %j',
    (content) => {
      expect(contentSizes(content)).toEqual({
        textChars: 0,
        thinkingChars: 0,
        toolCallChars: 0,
        otherChars: 0,
        images: 0,
      });
    },
  );

  it('survives arguments that have no JSON', () => {
    const args: Record<string, unknown> = {};
    args.self = args;
    expect(contentSizes([{ type: 'toolCall', name: 'x', arguments: args }]).toolCallChars).toBe(1);
    expect(contentSizes([{ type: 'toolCall', name: 'x' }, undefined, () => 1])).toMatchObject({
      toolCallChars: 1,
      otherChars: 0,
    });
  });

  it('counts texts and names that are none as nothing', () => {
    const content = [
      { type: 'text' },
      { type: 'text', text: ['x'] },
      { type: 'thinking', thinking: 7 },
      { type: 'toolCall', name: 7 },
    ];
    expect(contentSizes(content)).toEqual({
      textChars: 0,
      thinkingChars: 0,
      toolCallChars: 0,
      otherChars: 0,
      images: 0,
    });
  });

  it('counts blocks that are none as their JSON', () => {
    expect(contentSizes(['x', 7, null])).toMatchObject({
      textChars: 0,
      otherChars: '"x"7null'.length,
    });
  });

  it('lets other trouble than arguments without JSON through', () => {
    let deep: unknown = null;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(() => contentSizes([{ type: 'toolCall', arguments: deep }])).toThrow(RangeError);
  });
});

describe('charsIn', () => {
  it('adds up all but images', () => {
    expect(
      charsIn({
        textChars: 1,
        thinkingChars: 10,
        toolCallChars: 100,
        otherChars: 1_000,
        images: 10_000,
      }),
    ).toBe(1_111);
  });
});

describe('systemSizes', () => {
  it('counts prompt sections and tool definitions, which fill the context too', () => {
    const message = {
      content: 'Be brief.',
      sections: { cwd: '/a' },
      toolsAdded: [{ name: 'read' }],
    };
    const declared = '{"cwd":"/a"}'.length + '[{"name":"read"}]'.length;
    expect(systemSizes(message)).toMatchObject({ textChars: 9, otherChars: declared });
    const more = { ...message, content: [{ type: 'text', text: 'x' }, 7], toolsRemoved: ['edit'] };
    expect(systemSizes(more)).toMatchObject({
      textChars: 1,
      otherChars: 1 + declared + '["edit"]'.length,
    });
  });
});
