/** The command line on a new empty home, and a collector that can be started there. */
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import type { Screen } from '../../../collector/cli/output/screen.ts';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { type Collector, startCollector } from '../../../collector/main.ts';
import { temporaryDirectory } from './directory.ts';

/** Call it while a test file is read: collectors end after each test. */
export function commandLines() {
  const directory = temporaryDirectory();
  const running: Collector[] = [];
  let homes = 0;

  afterEach(async () => {
    for (const collector of running.splice(0)) await collector.stop();
  });

  return ({ now = () => new Date() }: { readonly now?: () => Date } = {}) => {
    homes += 1;
    const env: Record<string, string> = {
      PI_LEDGER_HOME: join(directory, String(homes)),
      PI_LEDGER_PORT: '0',
      HOME: directory,
    };
    const run = async (...argv: string[]) => {
      const [printed, complained]: [string[], string[]] = [[], []];
      const screen: Screen = {
        env,
        columns: null,
        colour: false,
        now,
        print: (line) => printed.push(line),
        complain: (line) => complained.push(line),
      };
      return {
        code: await main(argv, screen),
        printed: printed.join('\n'),
        complained: complained.join('\n'),
      };
    };
    const start = async (settings: object = {}) => {
      const collector = await startCollector(
        { ...loadCollectorConfig(env), ...settings },
        { logStream: null },
      );
      running.push(collector);
      return collector;
    };
    return { env, run, start };
  };
}
