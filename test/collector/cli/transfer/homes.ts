/** Command lines, each on its own home and store, with a made-up week to move. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ExitCode } from '../../../../collector/cli/command.ts';
import { demoMonth } from '../../../../collector/cli/demo/month.ts';
import { main } from '../../../../collector/cli/main.ts';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { openLedger } from '../../../../collector/main.ts';
import { sessionEvents } from '../../support/work.ts';

export interface Home {
  readonly env: Readonly<Record<string, string>>;
  run(
    ...argv: string[]
  ): Promise<{ readonly code: ExitCode; readonly printed: string; readonly complained: string }>;
}

let homes = 0;

export function newHome(directory: string, store?: string): Home {
  homes += 1;
  const home = join(directory, `home-${homes}`);
  mkdirSync(home);
  const env = {
    PI_LEDGER_HOME: home,
    HOME: directory,
    PI_LEDGER_PORT: '0',
    ...(store === undefined ? {} : { PI_LEDGER_STORE: store }),
  };
  return {
    env,
    async run(...argv) {
      const printed: string[] = [];
      const complained: string[] = [];
      const code = await main(argv, {
        env,
        columns: null,
        colour: false,
        now: () => new Date('2026-11-22T12:00:00Z'),
        print: (line) => void printed.push(line),
        complain: (line) => void complained.push(line),
      });
      return { code, printed: printed.join('\n'), complained: complained.join('\n') };
    },
  };
}

/** Some have a user from a token. Returns the number of events. */
export async function work(home: Home): Promise<number> {
  const ledger = await openLedger(loadCollectorConfig(home.env));
  const demo = [
    ...demoMonth({ until: new Date('2026-11-20T00:00:00Z'), days: 5, seed: 20, sessionsPerDay: 1 }),
  ];
  const adas = sessionEvents({
    id: 'ada-shop',
    project: 'shop',
    startedAt: '2026-11-16T09:00:00.000Z',
    turns: [{ time: '2026-11-16T09:05:00.000Z', nanoUsd: 5_000 }],
  });
  await ledger.ingest.accept(demo);
  await ledger.ingest.accept(
    adas,
    adas.map((event) => JSON.stringify(event, null, 1)),
    { is: 'producer', user: 'ada-of-the-token', token: null },
  );
  await ledger.close();
  return demo.length + adas.length;
}

/** Answers of the ledger: by project, person, model and day, and its sessions. */
export async function reportsOf({ run }: Home): Promise<readonly string[]> {
  const asked = [
    ...['project', 'user', 'model', 'day'].map((by) => ['report', '--by', by, '--json']),
    ['sessions', '--json', '--limit', '100'],
  ];
  const answers: string[] = [];
  for (const argv of asked) {
    const { code, printed, complained } = await run(...argv);
    expect({ code, complained }).toEqual({ code: 0, complained: '' });
    answers.push(printed);
  }
  expect(answers[1]).toContain('ada-of-the-token');
  return answers;
}
