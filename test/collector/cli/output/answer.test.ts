import { describe, expect, it } from 'vitest';
import { printAnswer, table } from '../../../../collector/cli/output/answer.ts';
import type { Note } from '../../../../collector/cli/output/answer-parts.ts';
import { countColumn } from '../../../../collector/cli/output/counts.ts';
import type { Screen } from '../../../../collector/cli/output/screen.ts';
import type { Column } from '../../../../collector/cli/output/table.ts';
import { terminalOn } from '../../../../collector/cli/output/terminal.ts';

interface Row {
  readonly name: string;
  readonly tokens: number;
  readonly seenAt: string;
}

const rows: Row[] = [{ name: 'shop', tokens: 1_084_000_000, seenAt: '2026-11-22T19:33:00Z' }];
const columns: Column<Row>[] = [
  { title: 'project', align: 'left', dropOrder: 0, cell: ({ name }) => name },
  countColumn('tokens', 0, ({ tokens }) => tokens),
  { title: 'last', align: 'left', dropOrder: 0, cell: ({ seenAt }, { day }) => day(seenAt) },
  ...['one', 'two'].map(
    (title, index): Column<Row> => ({
      title,
      align: 'right',
      dropOrder: index + 1,
      cell: () => 'x'.repeat(50),
    }),
  ),
];

function printed(screen: Partial<Screen>, notes: readonly Note[] = [], wide = false): string[] {
  const lines: string[] = [];
  const terminal = terminalOn({
    env: {},
    columns: null,
    colour: false,
    now: () => new Date('2026-11-22T20:00:00Z'),
    print: (line) => lines.push(line),
    complain: () => undefined,
    ...screen,
  });
  const first = 'what this is';
  printAnswer(terminal, { first, body: [table({ columns, rows })], notes, wide, timeZone: 'UTC' });
  return lines;
}

describe('an answer', () => {
  it('is short on a narrow terminal, and says which columns it hides', () => {
    expect(printed({ columns: 80 })).toEqual([
      'what this is',
      expect.stringMatching(/^project {2}tokens {2}last +one$/),
      expect.stringContaining('shop      1.08G  today 19:33'),
      '',
      '   1 column hidden: --wide',
    ]);
    expect(printed({ columns: 50 }).at(-1)).toBe('   2 columns hidden: --wide');
  });

  it('has full figures from 120 columns on, with --wide and in a pipe', () => {
    expect(printed({ columns: 120 })[2]).toContain('1,084,000,000  today 19:33');
    for (const lines of [printed({ columns: 60 }, [], true), printed({})]) {
      expect(lines[2]).toContain('1,084,000,000  2026-11-22 19:33');
      expect(lines).toHaveLength(3);
    }
  });

  it('ends with its notes: warnings first, marks with what they mean, the next step', () => {
    const notes: Note[] = [
      { mark: '≥', text: '12 records have no price', next: 'pi-ledger models' },
      { text: 'subscription: at list price' },
      { is: 'warning', text: '3 events are missing' },
    ];
    expect(printed({ columns: 60 }, notes).slice(3)).toEqual([
      '',
      'warning: 3 events are missing',
      '≥  12 records have no price: pi-ledger models',
      '   subscription: at list price',
      '   2 columns hidden: --wide',
    ]);
  });

  it('has at most four notes beside warnings on a terminal, and says how many more', () => {
    const notes = ['a', 'b', 'c', 'd', 'e'].map((text): Note => ({ text }));
    expect(printed({ columns: 200 }, notes).slice(-4)).toEqual([
      '   a',
      '   b',
      '   c',
      '   2 more notes: --wide',
    ]);
    expect(printed({}, notes).slice(-5)).toEqual(['   a', '   b', '   c', '   d', '   e']);
  });

  it('is coloured where something has a meaning: head, warning', () => {
    const lines = printed({ colour: true }, [{ is: 'warning', text: 'late: 3' }]);
    expect(lines[1]).toContain('\u001b[2mproject  ');
    expect(lines.at(-1)).toBe('\u001b[33mwarning:\u001b[39m late: 3');
  });

  it('has its marks in ASCII where the locale is not UTF-8', () => {
    const note: Note = { mark: '≥', text: 'no price · n/a' };
    expect(printed({ env: { LANG: 'C' } }, [note]).at(-1)).toBe('>=  no price | n/a');
    expect(printed({ env: { LANG: 'de_DE.UTF-8' } }, [note]).at(-1)).toBe('≥  no price · n/a');
    expect(printed({ env: { LANG: 'de_DE.UTF-8', LC_ALL: 'POSIX' } }, [note]).at(-1)).toMatch(
      /^>=/,
    );
  });
});
