/** Spend that is sent to a collector as producers send it, and what its answers make of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { liveEventId } from '../../../core/record/identity/event-id.ts';
import { attributed, turn } from '../projections/support/given.ts';
import { commandLines } from './command-lines.ts';
import { batchType } from './ledger.ts';

export const start = '2026-11-22T09:00:00.000Z';

/** A session that spent so much, as its host recorded it. */
export function session(id: string, nanoUsd: number, at = start): object[] {
  const spend = { costNanoUsd: nanoUsd, costSource: 'provider' as const };
  return [attributed(at, {}, id), { ...turn(at, spend), subject: id }].map((event) => ({
    ...event,
    id: liveEventId(Date.parse(at)),
  }));
}

/** Starts a collector: with the command line that asks it, and what was spent by its answers. */
export function sentSpend() {
  const commandLine = commandLines();
  return (settings: object = {}, config?: object) => running(commandLine(), settings, config);
}

type CommandLine = ReturnType<ReturnType<typeof commandLines>>;

async function running(line: CommandLine, settings: object, config?: object) {
  if (config !== undefined) configure(String(line.env.PI_LEDGER_HOME), config);
  const tokens: { id: string; token: string }[] = [];
  if ('auth' in settings)
    for (const user of ['ada', 'eve']) {
      const made = await line.run(
        ...['token', 'create', '--user', user, '--scope', 'ingest', '--json'],
      );
      tokens.push(JSON.parse(made.printed));
    }
  const { url } = await line.start(settings);
  async function send(events: readonly object[], token?: string): Promise<void> {
    const answer = await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers: {
        'content-type': batchType,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(events),
    });
    expect(await answer.json()).toMatchObject({ rejected: [] });
  }
  /** By session. */
  async function spending(): Promise<Record<string, number>> {
    const { printed } = await line.run('report', '--by', 'session', '--json');
    const { rows } = JSON.parse(printed) as {
      rows: { session: string; meteredNanoUsd: string; unknownBillingNanoUsd: string }[];
    };
    return Object.fromEntries(
      rows.map((row) => [
        row.session,
        Number(row.meteredNanoUsd) + Number(row.unknownBillingNanoUsd),
      ]),
    );
  }
  async function spent(): Promise<number> {
    return Object.values(await spending()).reduce((sum, each) => sum + each, 0);
  }
  return { ...line, url, tokens, send, spending, spent };
}

function configure(home: string, config: object): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify(config));
}
