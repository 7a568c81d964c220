/** Questions to whoever answers in a world. */
import type { Answers } from '@pi-ledger/contract/answers';
import type { LogRow } from '../truth/log-watch.ts';
import type { World } from './world.ts';

const answerMsMax = 30_000;
const pageRows = 1_000;

/** Rejects if nobody answers, or with an error. */
export async function ask<Answer>(
  world: World,
  path: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<Answer> {
  const program = world.answering();
  if (program === null) throw new Error('nobody answers');
  const answer = await fetch(`${program.url()}${path}`, {
    method,
    headers: { authorization: `Bearer ${program.machineToken()}` },
    signal: AbortSignal.timeout(answerMsMax),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Answer;
}

/** The rows of the log behind a position, page by page. */
export async function* logAfter(world: World, position: number): AsyncGenerator<readonly LogRow[]> {
  for (let after: number | null = position; after !== null; ) {
    const path: string = `/v1/log?after=${after}&limit=${pageRows}`;
    const page: Answers['GET /v1/log'] = await ask(world, path);
    yield page.rows as readonly LogRow[];
    after = page.next;
  }
}
