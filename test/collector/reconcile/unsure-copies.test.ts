/** Records that count under two sessions of the log, in one of them without their price. */
import { expect, it } from 'vitest';
import { difference } from '../../../collector/reconcile/difference.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import { readLogFacts } from '../../../collector/reconcile/log-facts.ts';
import { reportUnsureCopies } from '../../../collector/reconcile/unsure-copies.ts';
import { aLedger, at, event } from './support/two-sides.ts';

type Json = Record<string, unknown>;

const one = { id: 'a1', second: 1 };
const two = { id: 'a2', second: 2, input: 20 };
const omp = { source: '/importers/omp', ownership: 'unsure' };
const unpriced = { costNanoUsd: null, costSource: 'unpriced' };
const copy = (subject: string) => event(subject, one, omp, unpriced);

async function found(events: readonly Json[], findings = createFindings()) {
  const ledger = aLedger({ events });
  const log = await readLogFacts(ledger.ask, () => null);
  const before = ledger.asked.length;
  await reportUnsureCopies(log, findings);
  const told = Object.fromEntries(
    [...findings.sessions()].map((sessionId) => [sessionId, findings.of(sessionId)]),
  );
  return { told, asked: ledger.asked.length - before };
}

const twice = ({ id }: Json, position: number) => ({
  reason: 'twice_in_log',
  explained: false,
  count: 1,
  kind: 'turn',
  entryId: 'a1',
  at: at(1),
  position,
  eventId: id,
});

it('a record in two sessions is a fault of each that has it without its price', async () => {
  const [fork, other] = [copy('fork'), copy('other')];
  expect((await found([event('a', one), fork, other])).told).toEqual({
    fork: [twice(fork, 2)],
    other: [twice(other, 3)],
  });
  expect((await found([fork, event('a', one)])).told).toEqual({ fork: [twice(fork, 1)] });
});

it.each<[string, readonly Json[]]>([
  ['no session has its price', [copy('fork'), copy('a')]],
  ['the one with a price is another', [copy('fork'), event('a', two)]],
  ['it is not a copy itself', [copy('fork'), event('a', two), event('b', two, {}, unpriced)]],
])('a record in two sessions is no fault if %s', async (_why, events) => {
  expect((await found(events)).told).toEqual({});
});

it('a record that is known to be in the log twice is not told again', async () => {
  const fork = copy('fork');
  const eventId = String(fork.id);
  const known = difference('twice_in_log', 1, { eventId });
  const findings = createFindings();
  findings.add('fork', known);
  findings.add('fork', difference('cost_differs', 1));
  expect((await found([event('a', one), fork], findings)).told.fork).toHaveLength(2);
});

it('a record is told beside other faults of its event, and the same of another one', async () => {
  const fork = copy('fork');
  const findings = createFindings();
  findings.add('fork', difference('twice_in_log', 1, { eventId: 'another' }));
  findings.add('fork', difference('cost_differs', 1, { eventId: String(fork.id) }));
  const { told } = await found([event('a', one), fork], findings);
  expect(told.fork?.slice(2)).toEqual([twice(fork, 2)]);
});

it('the log is read again only if it has copies without a price', async () => {
  expect((await found([event('a', one), event('b', one)])).asked).toBe(0);
  expect((await found([event('a', one), copy('b')])).asked).toBe(1);
});
