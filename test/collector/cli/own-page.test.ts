import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();

it.each([['start'], ['demo', '--days', '2']])(
  '%s names the page on a terminal, and to no program',
  async (...argv) => {
    for (const columns of [100, null]) {
      const printed: string[] = [];
      const before = process.listeners('SIGTERM');
      const code = main(argv, {
        env: {
          PI_LEDGER_HOME: join(directory, String(columns)),
          PI_LEDGER_PORT: '0',
          HOME: directory,
        },
        columns,
        colour: false,
        now: () => new Date('2026-11-22T12:00:00Z'),
        print: (line) => printed.push(line),
        complain: (line) => printed.push(line),
      });
      const url = () => /(?:listens on|served on) (http:\S+\d)/.exec(printed.join('\n'))?.[1];
      await expect.poll(() => printed.join('\n')).toMatch(/^(Work as|Try it)/m);
      if (columns === null) expect(printed.join('\n')).not.toContain('Open');
      else expect(printed).toContain(`Open ${url()}/`);
      if (argv[0] === 'demo')
        expect(await reportAsSaid(printed.at(-1) ?? '')).toContain('demo-large');
      for (const stop of process.listeners('SIGTERM').filter((each) => !before.includes(each)))
        stop('SIGTERM');
      expect(await code).toBe(0);
    }
  },
);

/** What the line prints that a demo says to try. */
async function reportAsSaid(line: string): Promise<string> {
  const [, home, command] =
    /^Try it: PI_LEDGER_HOME=(\S+) \S+(?: @\S+)? (report .*)$/.exec(line) ?? [];
  const printed: string[] = [];
  const code = await main((command ?? '').split(' '), {
    env: { PI_LEDGER_HOME: home, HOME: directory },
    columns: null,
    colour: false,
    now: () => new Date('2026-11-22T12:00:00Z'),
    print: (text) => printed.push(text),
    complain: (text) => printed.push(text),
  });
  expect([code, printed.join('\n')]).toEqual([0, expect.any(String)]);
  return printed.join('\n');
}
