/** `--html`: one file for others, with a chart. A browser looks at it in test/web/. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { attributed, turn } from '../../projections/support/given.ts';
import { type CommandLine, commandLineOn } from '../../support/command-line.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const usd = 1_000_000_000;
const directory = temporaryDirectory();
const folder = join(directory, 'out');
const file = join(folder, 'report.html');
let line: CommandLine;

beforeAll(async () => {
  mkdirSync(folder);
  const at = (day: number) => `2026-11-${day}T12:00:00.000Z`;
  const billing = { anthropic: 'metered', openai: 'subscription' } as const;
  line = await commandLineOn(directory, [
    attributed(at(10), { project: '<b>shop</b>', billing }),
    turn(at(10), { costNanoUsd: 40 * usd }),
    turn(at(13), { costNanoUsd: 20 * usd }),
    turn(at(13), { provider: 'openai', costNanoUsd: 10 * usd }),
  ]);
});

describe('report --html', () => {
  it('writes one file for its owner alone, and replaces the one before', async () => {
    writeFileSync(file, 'before');
    chmodSync(file, 0o644);
    const { code, printed } = await line.run('report', '--html', file);
    expect({ code, printed }).toEqual({ code: 0, printed: `Written to ${file}.` });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['report.html']);
    expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>\n[\s\S]+<\/html>\n$/);
  });

  it('allows nothing but its own styles, and has no address of anybody', async () => {
    const { printed } = await line.run('report', '--html', '-');
    const [, styles = ''] = /<style>([\s\S]*?)<\/style>/.exec(printed) ?? [];
    const hash = createHash('sha256').update(styles).digest('base64');
    expect(printed).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ` +
        `style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    );
    expect(printed).not.toMatch(/<script|<link|<img|style="|\bon\w+=|https?:|url\(/);
    expect(printed).toContain('&#60;b&#62;shop&#60;/b&#62;');
  });

  it('has a bar for each day that spent, on one scale, and room for the others', async () => {
    const { printed } = await line.run('report', '--html', '-');
    const bars = (name: string) => {
      const [, path = ''] = new RegExp(`class="${name}" d="(.*?)"`).exec(printed) ?? [];
      return [...path.matchAll(/M([\d.]+) [\d.]+h[\d.]+v([\d.]+)/g)].map(([, x, high]) => [
        Number(x),
        Number(high),
      ]);
    };
    const [[x0 = 0, high0 = 0] = [], [x3 = 0, high3 = 0] = [], ...others] = bars('solid');
    expect(others).toEqual([]);
    expect(high0 / high3).toBeCloseTo(2, 1);
    const [[below = 0, high = 0] = []] = bars('pale');
    expect([below, high0 / high]).toEqual([x3, expect.closeTo(4, 1)]);
    expect((x3 - x0) / 3).toBeCloseTo((960 - 64 - 8) / 4, 0);
  });

  it('has no chart where nothing was spent, and says why', async () => {
    const { printed } = await line.run('report', '--html', '-', '--since', '2026-11-20');
    expect(printed).not.toContain('<svg');
    expect(printed).toContain('Nothing in this period');
  });
});

it.each([
  [
    ['report', '--html', join(directory, 'none', 'x.html')],
    /^error: \S+\/none\/x\.html cannot be written: there is no folder \S+\/none\.$/,
  ],
  [['report', '--html', directory], /is a directory: give a file name\.$/],
  [['sessions', '--html', join('/proc', 'x.html')], /^error: /],
])('%j is an error that says why', async (argv, message) => {
  const { code, printed, complained } = await line.run(...argv);
  expect({ code, printed }).toEqual({ code: 1, printed: '' });
  expect(complained).toMatch(message);
});

it('writes nothing, and leaves what was there, where the answer is refused', async () => {
  writeFileSync(file, 'before');
  const { code, complained } = await line.run('sessions', 'show', 'nobody', '--html', file);
  expect({ code, complained }).toEqual({ code: 1, complained: expect.stringMatching(/^error: /) });
  expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([
    'before',
  ]);
});

it.each([
  ['report', '--html', 'x', '--markdown'],
  ['report', '--html', 'x', '--json'],
  ['report', '--html', 'x', '--watch'],
])('%s %s %s %s is a usage error', async (...argv) => {
  const { code, complained } = await line.run(...argv);
  expect({ code, complained }).toEqual({
    code: 2,
    complained: expect.stringContaining('one of them, not both.'),
  });
});
