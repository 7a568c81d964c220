/** Questions to whoever answers in a world. */
import type { Answers } from '@pi-ledger/contract/answers';
import type { LogRow } from '../truth/log-watch.ts';
import type { Program } from './program.ts';
import type { World } from './world.ts';

const answerMsMax = 120_000;
const pageRows = 1_000;

/**
 * Asks those who answer, one after the other, until one does; another begins each time. Rejects if
 * nobody answers, or with the last error.
 */
export async function ask<Answer>(
  { readers }: World,
  path: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<Answer> {
  let failure = new Error('nobody answers');
  turn += 1;
  for (let offset = 0; offset < readers.length; offset += 1) {
    const program = readers[(turn + offset) % readers.length];
    if (program === undefined || program.url() === null) continue;
    try {
      return await askOne<Answer>(program, path, method);
    } catch (error) {
      failure = error as Error;
    }
  }
  throw failure;
}

let turn = 0;

async function askOne<Answer>(program: Program, path: string, method: string): Promise<Answer> {
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
