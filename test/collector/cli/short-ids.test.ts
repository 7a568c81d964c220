/** Ids on a terminal are as short as tells them apart, and commands take what is printed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { attributed, turn } from '../projections/support/given.ts';
import { type CommandLine, commandLineOn } from '../support/command-line.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();
const usd = 1_000_000_000;
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const since = daysAgo(30).slice(0, 10);
const dear = '01a21448-b19d-7c3e-8e80-80488585fa0a';
/** Two of one minute. */
const twins = ['01a21555-0000-7111-8e80-000000000001', '01a21555-0000-7222-8e80-000000000002'];
const others = ['3', '4', '5', '6', '7', '8', '9'].map(
  (digit) => `01a2166${digit}-0000-7000-8000-00000000000${digit}`,
);
const ids = [dear, ...twins, ...others];
const short = ['01a21448', '01a21555-0000-71', '01a21555-0000-72'];
let line: CommandLine;

beforeAll(async () => {
  const events = ids.flatMap((id) => [
    attributed(daysAgo(9), {}, id),
    turn(daysAgo(9), { costNanoUsd: id === dear ? 40 * usd : usd }, id),
  ]);
  line = await commandLineOn(directory, events, 80);
});

/** What stands at the beginning of the rows. */
async function firstCells(...argv: string[]): Promise<readonly (string | undefined)[]> {
  const { printed } = await line.run(...argv);
  return printed.split('\n').map((row) => row.split(/ {2,}/)[0]);
}

describe('a terminal of 80 columns', () => {
  it.each(['session', 'tree'])('has short ids of each %s, which commands take', async (by) => {
    const cells = await firstCells('report', '--by', by);
    expect(cells).toEqual(expect.arrayContaining(short));
    expect(cells.join(' ')).not.toContain('…');
    const shown = await Promise.all(short.map((id) => line.run('sessions', 'show', id)));
    expect(shown.map(({ printed }) => printed.split('\n')[0])).toEqual(
      [dear, ...twins].map((id) => `session ${id}`),
    );
  });

  it('has whole ids with --wide, and in CSV and JSON', async () => {
    for (const shape of ['--wide', '--csv', '--json'])
      expect((await line.run('report', '--by', 'session', shape)).printed).toContain(dear);
  });

  it('has a short id in the heading of a context, and a whole one with --wide', async () => {
    expect((await line.run('context', dear)).printed).toMatch(/^Session 01a21448: shop, /);
    expect((await line.run('context', dear, '--wide')).printed).toMatch(`Session ${dear}: `);
  });

  it('has short ids in the commands of insights, and whole ones in JSON', async () => {
    const { printed } = await line.run('insights', '--since', since);
    expect(printed).toMatch(/ pi-ledger sessions show 01a21448$/m);
    const { rows } = JSON.parse((await line.run('insights', '--since', since, '--json')).printed);
    expect(rows.map(({ command }: { command: string }) => command)).toContain(
      `pi-ledger sessions show ${dear}`,
    );
  });
});
