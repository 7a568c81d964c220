/** Answers that one session claims and another recorded, which nobody accounts for. */
import { expect, it } from 'vitest';
import { responseKeyOf } from '../../../collector/reconcile/files/tool-claims.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import { readLogFacts } from '../../../collector/reconcile/log-facts.ts';
import { reportUnaccounted } from '../../../collector/reconcile/unaccounted.ts';
import { aLedger, anEvent, spendOf, type Told } from './support/two-sides.ts';

type Json = Record<string, unknown>;

const one = { id: 'a1', second: 1 };
const two = { id: 'a2', second: 2, input: 20 };

const keyOf = (told: Told) => {
  const { responseId, rawUsage: usage } = spendOf(told);
  return responseKeyOf({ responseId, timestamp: told.second, usage });
};
const answer = (subject: string, told: Told, type = 'pi.turn.completed.v1') =>
  anEvent(type, subject, told.second, {
    entryId: told.id,
    requestedAtMs: told.second,
    spend: spendOf(told),
  });
const claim = (subject: string, told: Told, more: Json = {}) =>
  anEvent('pi.subagent.claimed.v1', subject, 9, {
    entryId: `c-${told.id}`,
    turnEntryId: 'turn',
    key: keyOf(told),
    claimed: spendOf(told),
    ...more,
  });
const account = (parent: string, told: Told) =>
  anEvent('pi.subagent.accounted.v1', parent, told.second, {
    childSessionId: 'child',
    childEntryId: told.id,
    keys: [keyOf(told)],
    accounted: spendOf(told),
  });

async function found(...events: readonly Json[]) {
  const log = await readLogFacts(aLedger({ events }).ask, () => null);
  const findings = createFindings();
  await reportUnaccounted(log, findings);
  return Object.fromEntries(
    [...findings.sessions()].map((sessionId) => [sessionId, findings.of(sessionId)]),
  );
}

const twice = (otherSessionId: string, count = 1) => ({
  reason: 'claim_differs',
  explained: false,
  count,
  otherSessionId,
  inLog: 'the subagent recorded it too, so it counts twice',
});

it('are counted for each two sessions', async () => {
  const events = [
    ...[one, two].flatMap((told) => [claim('parent', told), answer('child', told)]),
    claim('other', one),
    answer('fork', one),
  ];
  expect(await found(...events)).toEqual({
    parent: [twice('child', 2), twice('fork')],
    other: [twice('child'), twice('fork')],
  });
});

it('are found beside one that is accounted for', async () => {
  const events = [one, two].flatMap((told) => [claim('parent', told), answer('child', told)]);
  expect(await found(...events, account('parent', one))).toEqual({ parent: [twice('child')] });
});

it.each<[string, readonly Json[]]>([
  ['their subagent accounts for them', [account('parent', one)]],
  ['the session itself recorded them', [answer('parent', one)]],
  ['another one was recorded', [answer('child', two)]],
  ['what was recorded is no answer', [answer('child', one, 'pi.tool.completed.v1')]],
])('are none if %s', async (_why, events) => {
  const isAccounted = events.some(({ type }) => type === 'pi.subagent.accounted.v1');
  const recorded = isAccounted ? [answer('child', one)] : [];
  expect(await found(claim('parent', one), ...recorded, ...events)).toEqual({});
});

it('are none if the claim has no usage', async () => {
  expect(await found(claim('parent', one, { claimed: {} }), answer('child', one))).toEqual({});
});

it('are found beside claims of other kinds', async () => {
  const nested = anEvent('pi.tool.completed.v1', 'parent', 8, {
    entryId: 't',
    turnEntryId: 'turn',
    spend: spendOf(two),
  });
  const sum = claim('parent', two, { key: 'agent:A' });
  expect(await found(nested, sum, claim('parent', one), answer('child', one))).toEqual({
    parent: [twice('child')],
  });
});
