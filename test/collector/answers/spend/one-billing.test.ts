/**
 * How a record is billed is said in many answers: with a rule of the user's, all of them say the
 * same.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../../../collector/main.ts';
import type { FoldRules } from '../../../../collector/projections/rules.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { sessionFile } from '../../../extension/support/sessions.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';
import { eventsOfFile } from '../context/given.ts';

const homes = ledgerHomes();
const opened: Ledger[] = [];
afterAll(async () => {
  for (const ledger of opened) await ledger.close();
});

const events = ['pi15/json-autocompact', 'pi15/rpc-tree'].flatMap((name) =>
  eventsOfFile(sessionFile(name)),
);
const session = String(events[0]?.subject);

type Rule = FoldRules['billing'];

/** Asked after the first half of the events was folded without the rule, and after all with it. */
async function answersWith(billing: Rule): Promise<readonly (readonly [string, unknown])[]> {
  const config = homes.config();
  const without = await openLedger({ ...config, rules: { projects: [], billing: {}, labels: [] } });
  await post(without, events.slice(0, events.length / 2));
  await without.subscription.catchUp();
  await without.close();
  const ledger = await openLedger({ ...config, rules: { projects: [], billing, labels: [] } });
  opened.push(ledger);
  await post(ledger, events);
  await ledger.subscription.catchUp();
  return Promise.all(
    [
      '/v1/usage?by=project',
      '/v1/usage/rows',
      '/v1/sessions',
      '/v1/sessions?sort=metered',
      `/v1/sessions/${session}`,
      `/v1/sessions/${session}/timeline`,
      `/v1/context/${session}`,
      `/v1/context/${session}/series`,
      '/v1/requests',
      '/v1/compactions',
      '/v1/models',
    ].map(async (url) => [url, (await get(ledger, url)).json()] as const),
  );
}

/** Kinds of billing that an answer gives an amount or a record of. */
function billingsIn(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([key, value]) => {
    if (key === 'billing') return [String(value)];
    const named = /^(metered|subscription|unknown)(?:(?:Billing)?NanoUsd)?$/.exec(key)?.[1];
    if (named !== undefined) return isSomething(value) ? [named] : [];
    return billingsIn(value);
  });
}

function isSomething(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).some(isSomething)
    : value !== null && Number(value) !== 0;
}

const providers = new Set(
  events.flatMap(({ data }) => {
    const { spend } = data as { readonly spend?: { readonly provider: string } | null };
    return spend ? [spend.provider] : [];
  }),
);

describe('how records of one provider are billed', () => {
  it.each(['metered', 'subscription'] as const)('is %s in every answer', async (billing) => {
    const rule = Object.fromEntries([...providers].map((name) => [name, billing]));
    const answers = await answersWith(rule);
    const found = answers.map(([url, answer]) => [url, [...new Set(billingsIn(answer))]]);
    expect(found).toEqual(answers.map(([url]) => [url, [billing]]));
  });
});
