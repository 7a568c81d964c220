import { describe, expect, it } from 'vitest';
import { contentSizes, systemSizes } from '../../../extension/record/sizes.ts';

describe('contentSizes', () => {
  it('counts a plain string as text', () => {
    expect(contentSizes('héllo')).toEqual({ textChars: 5, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 });
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

  it.each([[null], [undefined], [7], [{ type: 'text', text: 'no list' }]])('gives nothing for %j', (content) => {
    expect(contentSizes(content)).toEqual({ textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 });
  });

  it('survives arguments that have no JSON', () => {
    const args: Record<string, unknown> = {};
    args.self = args;
    expect(contentSizes([{ type: 'toolCall', name: 'x', arguments: args }]).toolCallChars).toBe(1);
  });
});

describe('systemSizes', () => {
  it('counts prompt sections and tool definitions, which fill the context too', () => {
    const message = { content: 'Be brief.', sections: { cwd: '/a' }, toolsAdded: [{ name: 'read' }] };
    expect(systemSizes(message)).toMatchObject({ textChars: 9, otherChars: '{"cwd":"/a"}'.length + '[{"name":"read"}]'.length });
  });
});
