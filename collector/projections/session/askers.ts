/**
 * Which provider answered each turn that called tools. What a tool spent is its, where the tool's
 * result does not say whose: events of earlier versions never do. Cumulative counters do not
 * follow: they take such spend as it is said.
 *
 * Guarantees: a function of the set of events in any order, up to `askersMax` turns of a session,
 * and while its claims are not pooled: a pool does not tell turns apart, so there such spend stays
 * nobody's.
 */

import { noAmounts } from '../spend-amounts.ts';
import { withoutTotals } from '../totals.ts';
import type { Claim } from './claim.ts';
import { setRest } from './claim-group.ts';
import type { Claims } from './claims-state.ts';
import { compareText } from './compare-text.ts';
import type { Counting } from './regroup.ts';

/**
 * Providers by the key of their turn's claims, sorted. The first counts: several mean that two
 * sessions share an id, and their turns one, too.
 */
export type Askers = Map<string, readonly string[]>;

/** A turn takes some 20 bytes of the document; no session has this many. */
const askersMax = 20_000;

export interface Asking {
  readonly askers: Askers;
  readonly claims: Claims;
}

export function addAsker(
  { askers, claims }: Asking,
  key: string,
  provider: string,
  counting: Counting,
): void {
  const known = askers.get(key) ?? [];
  if (known.includes(provider) || (known.length === 0 && askers.size >= askersMax)) return;
  askers.set(key, [...known, provider].sort(compareText));
  nameAsker({ askers, claims }, key, counting);
}

/** Call after claims were added under the key. */
export function nameAsker({ askers, claims }: Asking, key: string, counting: Counting): void {
  const providers = askers.get(key);
  if (providers === undefined) return;
  const quiet = { ...counting, emit: withoutTotals(counting.emit) };
  for (const claim of claims.keys.get(key)?.claims ?? []) moveTo(providers, claim, quiet);
}

/** Leaves a cell with each provider, so that the order of events leaves no trace. */
function moveTo(providers: readonly string[], claim: Claim, quiet: Counting): void {
  if (claim.provider !== '') return;
  const { rest } = claim;
  setRest(claim, noAmounts, quiet);
  for (const provider of providers.toReversed()) {
    claim.asker = provider;
    setRest(claim, noAmounts, quiet);
  }
  setRest(claim, rest, quiet);
}

/** By provider, the turns' keys: `[provider, ...keys]`. */
export type AskersBody = readonly (readonly [provider: string, ...keys: string[]])[];

export function encodeAskers(askers: Askers): AskersBody {
  const turns = [...askers].flatMap(([key, providers]) =>
    providers.map((provider) => ({ key, provider })),
  );
  return [...Map.groupBy(turns, ({ provider }) => provider)]
    .sort(([left], [right]) => compareText(left, right))
    .map(([provider, asked]) => [provider, ...asked.map(({ key }) => key).sort(compareText)]);
}

/** Also names the claims, which are stored without it. */
export function decodeAskers(body: AskersBody, claims: Claims): Askers {
  const askers: Askers = new Map();
  for (const [provider, ...keys] of body)
    for (const key of keys) askers.set(key, [...(askers.get(key) ?? []), provider]);
  for (const [key, { claims: keyed }] of claims.keys) {
    const [provider] = askers.get(key) ?? [];
    if (provider === undefined) continue;
    for (const claim of keyed) if (claim.provider === '') claim.asker = provider;
  }
  return askers;
}
