/** What deleted history excuses, of sessions without a file. */
import { expect, it } from 'vitest';
import { difference } from '../../../collector/reconcile/difference.ts';
import { noFigures } from '../../../collector/reconcile/figures.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import { readLogFacts } from '../../../collector/reconcile/log-facts.ts';
import { excuseSealed, readFloorMs } from '../../../collector/reconcile/sealed.ts';
import { aLedger, anEvent, at, event, spendOf } from './support/two-sides.ts';

type Json = Record<string, unknown>;

it.each([
  ['no answer', undefined, 0],
  ['no floor', { floor: null }, 0],
  ['a floor', { floor: at(5) }, Date.parse(at(5))],
])('of %s, what was deleted', async (_what, answer, floorMs) => {
  expect(await readFloorMs(async () => answer)).toBe(floorMs);
});

const one = { id: 'a1', second: 1 };
const claim = (key: string) =>
  anEvent('pi.subagent.claimed.v1', 's', 2, { entryId: 'c', key, claimed: spendOf(one) });
const account = (...keys: readonly string[]) =>
  anEvent('pi.subagent.accounted.v1', 's', 3, {
    childSessionId: 'child',
    childEntryId: 'c',
    keys,
    accounted: spendOf(one),
  });

/** The reason left of views that have nothing of a session. */
async function found(events: readonly Json[]) {
  const log = await readLogFacts(aLedger({ events }).ask, () => null);
  const findings = createFindings();
  findings.add('s', difference('view_differs', 1));
  const views = {
    bySession: new Map([['s', noFigures()]]),
    begunBeforeFloor: new Set(['s']),
  };
  excuseSealed({ sessions: new Map() } as never, log, views as never, findings);
  return findings.of('s').map(({ reason }) => reason);
}

it.each<[string, readonly Json[], string]>([
  ['are wrong without claims', [], 'view_differs'],
  ['may be right with a claim', [claim('agent:A')], 'sealed'],
  ['may be right with an account', [account('agent:A')], 'sealed'],
  ['may be right with both, of a sum', [claim('agent:A'), account('agent:A')], 'sealed'],
  ['may be right with both, of an answer', [claim('response:1'), account('response:1')], 'sealed'],
])('views with less than the log %s', async (_what, events, reason) => {
  expect(await found([event('s', one), ...events])).toEqual([reason]);
});
