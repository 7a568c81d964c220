/** Claims that count beside the records of a subagent whose parent claims nothing of it. */
import { expect, it } from 'vitest';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import { readLogFacts } from '../../../collector/reconcile/log-facts.ts';
import { reportStrayChildren } from '../../../collector/reconcile/stray-children.ts';
import { aLedger, anEvent, event, spendOf } from './support/two-sides.ts';

type Json = Record<string, unknown>;

const claimOf = (subject: string, second: number, key = 'agent:A') =>
  anEvent('pi.subagent.claimed.v1', subject, second, {
    entryId: `x-${subject}`,
    turnEntryId: 'turn',
    key,
    claimed: spendOf({ id: 'claimed', second }),
  });
const account = (parent: string, second: number, more: Json = {}) =>
  anEvent('pi.subagent.accounted.v1', parent, second, {
    childSessionId: 'child',
    childEntryId: 'c',
    keys: ['agent:A'],
    accounted: spendOf({ id: 'c', second }),
    ...more,
  });
const named = (second: number, kind = 'subagent', subject = 'child') =>
  anEvent('pi.session.attributed.v1', subject, second, { agent: { kind, name: 'A' } });
const turn = event('fork', { id: 'turn', second: 10 });
const answer = event('child', { id: 'c', second: 20 });

async function found(events: readonly Json[], files: Json = {}): Promise<readonly string[]> {
  const { ask } = aLedger({ events });
  const log = await readLogFacts(ask, () => null);
  const findings = createFindings();
  const sessions = new Map(Object.entries(files));
  await reportStrayChildren(log, { sessions } as never, findings);
  return [...findings.sessions()].flatMap((sessionId) =>
    findings
      .of(sessionId)
      .map(({ reason, otherSessionId }) => `${sessionId} ${reason} ${otherSessionId}`),
  );
}

const fault = ['fork claim_differs child'];

it('are a fault if it began while the claiming turn went on', async () => {
  expect(await found([turn, claimOf('fork', 30), answer, account('gone', 20)])).toEqual(fault);
  expect(await found([turn, claimOf('fork', 30), answer, named(10)])).toEqual(fault);
});

it('are told with the name of the claim, and what may count twice', async () => {
  const { ask } = aLedger({ events: [turn, claimOf('fork', 30), answer, named(10)] });
  const findings = createFindings();
  const files = { sessions: new Map() };
  await reportStrayChildren(await readLogFacts(ask, () => null), files, findings);
  expect(findings.of('fork')).toMatchObject([
    { count: 1, kind: 'claim agent:A', inLog: expect.stringContaining('both count') },
  ]);
});

it('are a fault at any time if its parent is an ancestor by the headers', async () => {
  const events = [turn, claimOf('fork', 30), answer, account('gone', 5)];
  const fork = { files: [{ header: { parentSession: '/s/time_gone.jsonl' } }] };
  expect(await found(events, { fork })).toEqual(fault);
  expect(await found(events)).toEqual([]);
});

it.each<[string, readonly Json[]]>([
  ['it began as the claim was made', [turn, claimOf('fork', 30), answer, account('gone', 30)]],
  [
    'its parent claims another one',
    [turn, claimOf('fork', 30), claimOf('gone', 30, 'agent:B'), answer, account('gone', 20)],
  ],
  [
    'what its parent accounts for has no usage',
    [turn, claimOf('fork', 30), answer, account('gone', 20, { accounted: { reported: false } })],
  ],
  [
    'it claims one of its own name',
    [turn, claimOf('fork', 30), answer, named(20), claimOf('child', 25)],
  ],
  [
    'the claiming session claims nested work of a tool too',
    [
      turn,
      anEvent('pi.tool.completed.v1', 'fork', 29, {
        entryId: 't',
        turnEntryId: 'turn',
        spend: spendOf({ id: 't', second: 29 }),
      }),
      claimOf('fork', 30),
      answer,
      account('gone', 20),
    ],
  ],
  [
    'the claiming turn is told of again later',
    [
      turn,
      anEvent('pi.turn.timed.v1', 'fork', 25, { entryId: 'turn' }),
      claimOf('fork', 30),
      answer,
      account('gone', 20),
    ],
  ],
])('are a fault if %s', async (_why, events) => {
  expect(await found(events)).toEqual(fault);
});

it.each<[string, readonly Json[]]>([
  ['it is told to the claiming session', [turn, claimOf('fork', 30), answer, account('fork', 20)]],
  [
    'its parent claims one itself',
    [turn, claimOf('fork', 30), claimOf('gone', 30), answer, account('gone', 20)],
  ],
  ['it began later', [turn, claimOf('fork', 30), answer, account('gone', 31)]],
  ['it has another name', [turn, claimOf('fork', 30, 'agent:B'), answer, account('gone', 20)]],
  ['it has recorded nothing', [turn, claimOf('fork', 30), account('gone', 20)]],
  ['it is no subagent', [turn, claimOf('fork', 30), answer, named(20, 'main')]],
  [
    'it has recorded claims alone',
    [turn, claimOf('fork', 30), named(20), claimOf('child', 25, 'agent:B')],
  ],
  ['it began before, with no parent', [turn, claimOf('fork', 30), answer, named(5)]],
  ['it began before', [turn, claimOf('fork', 30), answer, named(5), account('gone', 20)]],
  ['it is the claiming session', [turn, claimOf('fork', 30), named(20, 'subagent', 'fork')]],
  [
    'the claim is covered, so that it does not count',
    [
      turn,
      claimOf('fork', 30),
      account('fork', 20, { childSessionId: 'own' }),
      answer,
      account('gone', 20),
    ],
  ],
  [
    'the claim names its turn, not it',
    [turn, claimOf('fork', 30, 'turn:turn'), answer, account('gone', 20, { keys: ['turn:turn'] })],
  ],
  ['nothing is claimed', [turn, answer, account('gone', 20)]],
])('are none if %s', async (_why, events) => {
  expect(await found(events)).toEqual([]);
});
