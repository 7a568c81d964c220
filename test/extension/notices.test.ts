import { describe, expect, it } from 'vitest';
import { createNotices } from '../../extension/notices.ts';
import { deadContext } from './support/fake-session.ts';

function setUp() {
  const lines: string[] = [];
  const shown: string[] = [];
  const notices = createNotices((line) => void lines.push(line));
  const withUi = { hasUI: true, ui: { notify: (message: string) => void shown.push(message) } };
  return { notices, lines, shown, withUi, withoutUi: { hasUI: false } };
}

describe('a notice', () => {
  it('is shown in the interface, once', () => {
    const { notices, shown, lines, withUi } = setUp();
    notices.add('the token is refused');
    notices.deliver(withUi);
    notices.add('the token is refused');
    notices.deliver(withUi);
    expect([shown, lines]).toEqual([['the token is refused'], []]);
  });

  it('goes to stderr where there is no interface', () => {
    const { notices, lines, withoutUi } = setUp();
    notices.add('a');
    notices.deliver(withoutUi);
    notices.deliver(withoutUi);
    expect(lines).toEqual(['a']);
  });

  it('waits while the context is dead, or only a subagent’s is at hand', () => {
    const { notices, lines, shown, withUi, withoutUi } = setUp();
    notices.add('first');
    notices.deliver(deadContext());
    notices.deliver(withUi);
    notices.add('second');
    notices.deliver(withoutUi);
    expect([shown, lines]).toEqual([['first'], []]);
    notices.deliver(withUi);
    expect(shown).toEqual(['first', 'second']);
  });

  it('waits on when the interface fails', () => {
    const { notices, shown, withUi } = setUp();
    notices.add('a');
    notices.deliver({
      hasUI: true,
      ui: {
        notify: () => {
          throw new Error('gone');
        },
      },
    });
    notices.deliver(withUi);
    expect(shown).toEqual(['a']);
  });

  it('without a further handler goes to stderr, unless an interface owns the terminal', () => {
    for (const [contexts, expected] of [
      [[], ['late']],
      [[{ hasUI: false }], ['late']],
      [[{ hasUI: false }, deadContext()], ['late']],
      [[{ hasUI: true }, { hasUI: false }], []],
    ] as const) {
      const { notices, lines } = setUp();
      for (const ctx of contexts) notices.deliver(ctx);
      notices.add('late');
      notices.end();
      notices.end();
      expect(lines).toEqual(expected);
    }
  });

  it('never comes in crowds, and never throws', () => {
    const { notices, shown, withUi } = setUp();
    for (let index = 0; index < 100; index += 1) notices.add(`notice ${index}`);
    notices.deliver(withUi);
    expect(shown).toHaveLength(8);
    const closed = createNotices(() => {
      throw new Error('EPIPE');
    });
    closed.add('a');
    closed.deliver({ hasUI: false });
  });
});
