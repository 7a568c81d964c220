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
      await expect.poll(() => printed.at(-1), { timeout: 60_000 }).toMatch(/^(Work as|Try it)/);
      if (columns === null) expect(printed.join('\n')).not.toContain('Open');
      else expect(printed).toContain(`Open ${url()}/`);
      for (const stop of process.listeners('SIGTERM').filter((each) => !before.includes(each)))
        stop('SIGTERM');
      expect(await code).toBe(0);
    }
  },
);
