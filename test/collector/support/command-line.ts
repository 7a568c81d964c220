/** The command line on a new home whose store has these events; null columns: into a pipe. */
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { expect } from 'vitest';
import type { ExitCode } from '../../../collector/cli/command.ts';
import { main } from '../../../collector/cli/main.ts';
import type { Screen } from '../../../collector/cli/output/screen.ts';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import { post } from './ledger.ts';

interface Ended {
  readonly code: ExitCode;
  readonly printed: string;
  readonly complained: string;
}

export interface CommandLine {
  readonly directory: string;
  run(...argv: string[]): Promise<Ended>;
  /** On a screen of another width, with further variables, at another time. */
  runOn(
    screen: Partial<Pick<Screen, 'env' | 'columns' | 'now'>>,
    ...argv: readonly string[]
  ): Promise<Ended>;
}

const noon = () => new Date('2026-11-22T12:00:00Z');

export async function commandLineOn(
  directory: string,
  events: readonly LedgerEvent[],
  columns: number | null = null,
): Promise<CommandLine> {
  const env = { PI_LEDGER_HOME: join(directory, 'home'), HOME: directory };
  const ledger = await openLedger(loadCollectorConfig(env));
  expect((await post(ledger, events)).json()).toMatchObject({ accepted: events.length });
  await ledger.subscription.catchUp();
  await ledger.close();
  const runOn: CommandLine['runOn'] = async (
    { env: more, columns: wide = columns, now = noon },
    ...argv
  ) => {
    const printed: string[] = [];
    const complained: string[] = [];
    const screen: Screen = {
      env: { ...env, ...more },
      columns: wide,
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
  return { directory, run: (...argv) => runOn({}, ...argv), runOn };
}
