import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { sanitizeLine, sanitizeText } from '../../../core/text/sanitize.ts';
import type { LedgerView } from '../../../extension/command/ledger-view.ts';
import { answer } from '../../../extension/command/subcommands.ts';
import { notify } from '../../../extension/host/host.ts';
import { noTotals } from '../../../extension/live/totals.ts';
import { createNotices } from '../../../extension/notices.ts';
import { writeToTerminal } from '../../../extension/terminal.ts';
import { attacksIn, hostileName } from '../../collector/support/hostile.ts';

describe('a text of strangers', () => {
  it('has nothing left that a terminal obeys', () => {
    expect(attacksIn(sanitizeLine(hostileName))).toEqual([]);
    expect(sanitizeLine(hostileName)).toContain('n\\u001b]52;c;eA==\\u0007\\u009b31m\\u202e');
  });

  it('is one line, and JSON keeps its value, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(attacksIn(sanitizeLine(text))).toEqual([]);
        expect(sanitizeLine(text)).not.toMatch(/[\r\n]/);
        expect(sanitizeLine(sanitizeLine(text))).toBe(sanitizeLine(text));
        expect(JSON.parse(sanitizeText(JSON.stringify({ [text]: text }, null, 2)))).toEqual({
          [text]: text,
        });
      }),
    );
  });

  it.each(['Grüße', 'पृष्ठ', 'می‌خواهم', '👩‍👩‍👧', '❤️', '天気 = 晴れ', 'a\\u001b'])(
    'is left alone: %s',
    (text) => {
      expect(sanitizeLine(text)).toBe(text);
    },
  );

  it('of several lines keeps their ends', () => {
    expect(sanitizeText('a\u001b\r\nb\rc\n')).toBe('a\\u001b\r\nb\\u000dc\n');
  });
});

describe('the extension', () => {
  it("sanitizes what it shows in the host's interface and on stderr", () => {
    const shown: string[] = [];
    const ctx = { hasUI: true, ui: { notify: (message: string) => shown.push(message) } };
    notify(ctx, hostileName, 'info');
    const notices = createNotices((line) => shown.push(line));
    notices.add(hostileName);
    notices.deliver({ hasUI: false });
    notices.add(`${hostileName} again`);
    notices.deliver(ctx);
    const write = vi
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => shown.push(String(text)) > 0);
    writeToTerminal(hostileName);
    write.mockRestore();
    expect(shown).toHaveLength(4);
    expect(shown.flatMap((text) => attacksIn(text.replaceAll('\n=FORGED', '')))).toEqual([]);
  });

  it('begins no line of `/ledger` with a name', () => {
    const session = { attribution: { project: { name: hostileName } }, totals: noTotals() };
    const producer = { recorder: { sessions: () => [session] }, config: { home: '/nowhere' } };
    const asked = { is: 'none', why: hostileName };
    const view = { producer, session, ctx: null, nowMs: 0, asked } as unknown as LedgerView;
    expect(attacksIn(answer('project', view))).toEqual([]);
    expect(attacksIn(answer('today', view))).toEqual([]);
    expect(attacksIn(answer(hostileName, view))).toEqual([]);
  });
});
