/**
 * A token that reads only its own gets the same answers from a ledger with the work of others as
 * from one without, whatever it asks.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Guarded, guardedLedgers } from '../../test/collector/support/guarded.ts';
import { adas, bobs, moved, offer } from '../../test/collector/support/two-people.ts';
import { type Attack, questions } from './support/attacks.ts';
import { readDocument } from './support/document.ts';
import { runs, seed } from './support/runs.ts';

const guarded = guardedLedgers();

async function withToken(events: Parameters<typeof offer>[1]): Promise<[Guarded, string]> {
  const subject = await guarded.open({ requestsPerMinuteMax: 0 });
  await offer(subject, events);
  const { text } = await subject.make({ user: 'ada', scopes: ['read'], onlyOwn: true });
  return [subject, text];
}

/** Of the collector, its machine or the whole log, and so not of people's work. */
const ofNobody = ['/v1/log/own', '/metrics', '/v1/live', '/v1/hosts', '/v1/health', '/v1/answers'];

it('a question never tells that there are others', async () => {
  const [alone, tokenAlone] = await withToken(adas);
  const [crowded, tokenCrowded] = await withToken([...adas, ...bobs(), ...moved()]);
  const document = await alone.ask({ url: '/openapi.json', token: alone.machineToken });
  const described = readDocument(document.text);
  const reads = described.operations.filter(
    ({ method, scope, path }) => method === 'GET' && scope === 'read' && !ofNobody.includes(path),
  );
  const numRuns = runs(300);
  let good = 0;
  const asked = async ({ target }: Attack) => {
    const answer = await alone.ask({ url: target, token: tokenAlone });
    const other = await crowded.ask({ url: target, token: tokenCrowded });
    if (answer.status === 200) good += 1;
    expect([target, other.status, other.text]).toEqual([target, answer.status, answer.text]);
  };
  await fc.assert(fc.asyncProperty(questions({ ...described, operations: reads }), asked), {
    ...{ seed, numRuns },
  });
  console.log(`${numRuns} questions on ${reads.length} routes, ${good} answered, seed ${seed}`);
  expect(good).toBeGreaterThan(numRuns / 10);
});

it('this check notices a row of others', async () => {
  const [crowded, limited] = await withToken([...adas, ...bobs()]);
  const answers = [limited, crowded.machineToken].map((token) =>
    crowded.ask({ url: '/v1/usage?by=user', token }),
  );
  const [own, all] = await Promise.all(answers);
  expect(own?.text).not.toBe(all?.text);
});
