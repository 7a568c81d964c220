/** What the demo tells arrives as it happens, not all at once when somebody tries it. */
import type { Answers } from '@pi-ledger/contract/answers';
import { expect, it } from 'vitest';
import { commandLines } from '../../support/command-lines.ts';

const commandLine = commandLines();

it('reaches the collector seconds after it happened', async () => {
  const { run, start, env } = commandLine();
  const path = `${env.PI_LEDGER_HOME}/ledger.db`;
  expect((await run('demo', '--days', '3', '--data-only', path)).code).toBe(0);
  const { url } = await start();
  const answer = await fetch(`${url}/v1/producers`);
  const { rows } = (await answer.json()) as Answers['GET /v1/producers'];
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ lagMs }) => lagMs > 10_000)).toEqual([]);
});
