/** `--markdown`: what others read, with names that would like to be more than text. */
import { beforeAll, describe, expect, it } from 'vitest';
import { attributed, turn } from '../../projections/support/given.ts';
import { type CommandLine, commandLineOn } from '../../support/command-line.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const usd = 1_000_000_000;
const at = '2026-11-20T12:00:00.000Z';
let line: CommandLine;

const hostile: Readonly<Record<string, string>> = {
  '[x](javascript:alert(1))': String.raw`\[x\](javascript:alert(1))`,
  '](javascript:alert(1))': String.raw`\](javascript:alert(1))`,
  '<img src=x onerror=alert(1)>': '&lt;img src=x onerror=alert(1)&gt;',
  '`code` *bold* _it_ ~~no~~': String.raw`\`code\` \*bold\* \_it\_ \~\~no\~\~`,
  'a|b': String.raw`a\|b`,
  'a\nb\r\n| c |': String.raw`a\\u000ab\\u000d\\u000a\| c \|`,
  '&copy; \\| x': String.raw`&amp;copy; \\\| x`,
  'https://evil.example/?q=`': '`` https://evil.example/?q=` ``',
  '@everyone see #12|www.x.org': String.raw`${'`@everyone`'} see ${'`#12'}\|www.x.org${'`'}`,
  'b@a\\\\|c': '`b@a\\|c`',
  'at deadbee': 'at `deadbee`',
  'fix_41EC096a|b': '`fix_41EC096a\\|b`',
  [`${'a1'.repeat(20)}.`]: `\`${'a1'.repeat(20)}.\``,
  'facade 123456 deadbeeg': 'facade 123456 deadbeeg',
  $a$b: String.raw`\$a\$b`,
};

beforeAll(async () => {
  const names = Object.keys(hostile);
  line = await commandLineOn(temporaryDirectory(), [
    attributed(at, {
      project: 'demo_shop',
      billing: { anthropic: 'metered', openai: 'subscription' },
    }),
    turn(at, { costNanoUsd: 2 * usd }),
    turn(at, { provider: 'openai', model: 'gpt', costNanoUsd: 3 * usd }),
    turn(at, { model: 'local', costNanoUsd: null, costSource: 'unpriced' }),
    ...names.flatMap((project, index) => [
      attributed(at, { project }, `h${index}`),
      turn(at, {}, `h${index}`),
    ]),
  ]);
});

describe('report --markdown', () => {
  it('is an aligned table under a line that says what it is, with every note', async () => {
    const asked = ['report', '--project', 'demo_shop', '--by', 'model', '--since', '2026-11-01'];
    const { code, printed, complained } = await line.run(...asked, '--markdown');
    expect({ code, complained }).toEqual({ code: 0, complained: '' });
    const [first, blank, ...rest] = printed.split('\n');
    expect(first).toBe(
      "1 Nov 2026 to 22 Nov 2026, each in the spender's own day · project demo\\_shop · by model",
    );
    expect(blank).toBe('');
    const rows = rest.slice(0, 6);
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
    expect(
      rows.map((row) =>
        row
          .split(' | ')
          .slice(0, 3)
          .map((cell) => cell.trim()),
      ),
    ).toEqual([
      ['| model', 'metered', 'subscription'],
      ['| :--------', '----------:', '-----------:'],
      ['| sonnet', '$2.00', '–'],
      ['| gpt', '–', '$3.00'],
      ['| local', 'n/a', '–'],
      ['| **total**', '**≥ $2.00**', '**$3.00**'],
    ]);
    expect(rest.slice(-3)).toEqual([
      '- ≥ 1 record has no price (n/a): `pi-ledger models --unpriced`',
      '- subscription: at list price, not billed',
      '- ~ estimated: the cache against the average price of input',
    ]);
    expect(printed).not.toContain('\u001b');
  });

  it.each(Object.entries(hostile))('writes %j as text', async (_name, text) => {
    const { printed } = await line.run('report', '--markdown');
    expect(printed.split('\n').some((row) => row.startsWith(`| ${text} `))).toBe(true);
  });

  it('has as many cells in every row, whatever the names', async () => {
    const { printed } = await line.run('report', '--markdown');
    const rows = printed.split('\n').filter((row) => row.startsWith('| '));
    expect(rows.length).toBeGreaterThan(Object.keys(hostile).length);
    expect(new Set(rows.map((row) => row.split(/(?<!\\)\|/).length)).size).toBe(1);
  });
});

it('says of which zone the hours are, where there are any', async () => {
  const zone = ['--timezone', 'Asia/Tokyo', '--markdown'];
  const sessions = await line.run('sessions', ...zone);
  expect(sessions.printed).toContain('2026-11-20 21:00');
  expect(sessions.printed).toContain('\n- times are those of Asia/Tokyo');
  expect((await line.run('report', ...zone)).printed).not.toContain('times are those of');
});

it.each([
  [['models'], /^\| model +\|/m],
  [['requests'], /^\| [^|]+\|.* model +\|/m],
  [['budgets'], /^no budget is set$/m],
  [['tools'], /^No tool was called\.$/m],
  [['quota'], /^no provider told of a window/m],
  [['compactions'], /^No compactions match\.$/m],
  [['insights', '--since', '2026-11-01'], /^all time|^1 Nov 2026 to/m],
  [['sessions', 'show', 's1'], /^\| project +\| demo\\_shop on main +\|$/m],
])('%j has it, too', async (argv, text) => {
  const { code, printed } = await line.run(...argv, '--markdown');
  expect(code).toBe(0);
  expect(printed).toMatch(text);
});

it('names the days and the filters of insights', async () => {
  const bounds = ['--since', '2026-11-01', '--until', '2026-11-21', '--project', 'demo_shop'];
  const { printed } = await line.run('insights', ...bounds, '--markdown');
  expect(printed.split('\n')[0]).toBe(
    "1 Nov 2026 to 21 Nov 2026, each in the spender's own day · project demo\\_shop · " +
      'what changed and what it cost',
  );
});

it.each([
  [['report', '--json', '--markdown'], '--json, --markdown: one of them, not both.'],
  [['sessions', '--csv', '--markdown'], '--csv, --markdown: one of them, not both.'],
  [['quota', '--watch', '--markdown'], '--watch, --markdown: one of them, not both.'],
])('%j is a usage error', async (argv, message) => {
  expect(await line.run(...argv)).toEqual({
    code: 2,
    printed: '',
    complained: `error: ${message}`,
  });
});
