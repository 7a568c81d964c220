/** Kill -9 of a collector between what it acknowledged and what it says of its budgets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LedgerEvent } from '@pi-ledger/contract';
import type { BudgetCrossingList, BudgetList } from '@pi-ledger/contract/answers';
import { expect, it } from 'vitest';
import { attributed, turn } from '../../projections/support/given.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { batchType } from '../../support/ledger.ts';

const home = join(temporaryDirectory(), 'home');
const script = fileURLToPath(new URL('./child.ts', import.meta.url));
const kills = 8;
const now = Date.now();
const at = new Date(now - 60_000).toISOString();
const budgets = [
  { name: 'spent', per: 'month', limit: 1, in: 'metered dollars', timeZone: 'UTC' },
  { name: 'tokens', per: 'month', limit: 3, in: 'tokens', warnAt: 34, timeZone: 'UTC' },
];

async function start() {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, PI_LEDGER_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return { child, url: String(url).trim() };
}

async function kill({ child }: Awaited<ReturnType<typeof start>>): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function tell(url: string, events: readonly LedgerEvent[]): Promise<void> {
  const answer = await fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': batchType },
    body: JSON.stringify(events),
  });
  expect(await answer.json()).toMatchObject({ rejected: [] });
}

it('writes each crossing once, and one notice for each state, after every kill', async () => {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ port: 0, import: false, budgets }));
  for (let round = 0; round < kills; round++) {
    const running = await start();
    const first = round === 0 ? [attributed(at)] : [];
    await tell(running.url, [...first, turn(at, { costNanoUsd: 150_000_000 })]);
    await delay(Math.random() * 1_500);
    await kill(running);
  }
  const running = await start();
  const ask = async <Answer>(path: string): Promise<Answer> =>
    (await fetch(`${running.url}${path}`)).json() as Promise<Answer>;
  await expect
    .poll(async () => (await ask<BudgetList>('/v1/budgets')).rows.map(lastState))
    .toEqual([
      ['spent', '1.2', 'over', 'over'],
      ['tokens', '8', 'over', 'over'],
    ]);
  const { rows } = await ask<BudgetCrossingList>('/v1/budgets/crossings');
  for (const { name } of budgets) {
    const own = rows.filter(({ budget }) => budget === name).toReversed();
    expect(own.map(({ number }) => number)).toEqual(own.map((_, index) => index + 1));
    expect(own.map(({ from }) => from)).toEqual(['ok', ...own.map(({ to }) => to)].slice(0, -1));
    for (const state of ['warning', 'over'])
      expect(own.filter(({ to }) => to === state).map(({ isFirst }) => isFirst)).toEqual(
        own.some(({ to }) => to === state) ? [true] : [],
      );
  }
  await kill(running);
});

function lastState({ name, used, state, crossings }: BudgetList['rows'][number]) {
  return [name, used, state, crossings.at(-1)?.to];
}
