import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { temporaryDirectory } from '../support/directory.ts';

const home = mkdtempSync(join(temporaryDirectory(), 'home-'));

async function run(argv: readonly string[], roundsMax: number | null) {
  const printed: string[] = [];
  const complained: string[] = [];
  let rounds = 0;
  const clear = () => {
    rounds += 1;
    if (rounds > (roundsMax ?? 0)) throw new Error('enough');
    printed.push('(empty screen)');
  };
  const code = await main(argv, {
    env: { PI_LEDGER_HOME: home, HOME: home },
    columns: roundsMax === null ? null : 80,
    colour: false,
    now: () => new Date(),
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
    ...(roundsMax === null ? {} : { clear }),
  });
  return { code, printed, complained };
}

it('draws the report anew on an empty screen, as often as said', async () => {
  const { printed, complained } = await run(['report', '--watch', '0.01'], 2);
  expect(complained).toEqual(['error: enough']);
  const once = [
    '(empty screen)',
    expect.stringMatching(/^all time/),
    expect.stringMatching(/^Nothing is recorded yet/),
    expect.stringMatching(/^ {3}pi-ledger doctor checks/),
  ];
  expect(printed).toEqual([...once, ...once]);
});

it.each(['sessions', 'models', 'tools', 'compactions', 'quota', 'insights'])(
  'draws %s anew, too',
  async (command) => {
    const { printed, complained } = await run([command, '--watch', '0.01'], 2);
    expect(complained).toEqual(['error: enough']);
    expect(printed.filter((text) => text === '(empty screen)')).toHaveLength(2);
    expect(printed.length).toBeGreaterThan(4);
  },
);

it.each([
  [['report', '--watch'], null, '--watch: the output is not a terminal'],
  [['report', '--watch', 'often'], 1, '--watch: expected seconds, up to 3600, got "often"'],
])('%j is a usage error where it cannot be done', async (argv, rounds, message) => {
  expect(await run(argv, rounds)).toEqual({
    code: 2,
    printed: [],
    complained: [`error: ${message}`],
  });
});
