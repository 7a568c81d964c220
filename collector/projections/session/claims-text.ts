/**
 * Stored form of claims in the session's document. Compact, because there may be thousands: an
 * answer that is claimed and accounted for takes 16 letters, answers of one tool result share its
 * time, trailing zeros are left out, and the counted part of a claim is computed again.
 */
import { type Amount, amountFromJson, amountToJson } from '../amount.ts';
import { usageMeasures } from '../usage.ts';
import { type Claim, type ClaimGroup, restsOf, zeroAmounts } from './claim.ts';
import { type Claims, createClaims } from './claims.ts';
import { compareText } from './compare-text.ts';

type Amounts = readonly (number | string)[];
type BodyClaim = readonly [atMs: number, model: number, ...amounts: Amounts];

type BodyModel = readonly [provider: string, model: string, costSource?: string];

export interface ClaimsBody {
  readonly pooled: boolean;
  /** Of the claims; older documents say no cost source. */
  readonly models: readonly BodyModel[];
  readonly pool: BodyGroup;
  readonly keys: readonly (readonly [key: string, ...group: BodyGroup])[];
  /** Response keys, concatenated. */
  readonly covered: string;
  readonly accounted: readonly (readonly [key: string | null, responses: string])[];
  readonly claimed: readonly (readonly [
    atMs: number,
    model: number,
    ...answers: (readonly [response: string, ...amounts: Amounts])[],
  ])[];
}

type BodyGroup = readonly [accounted: Amounts, ...claims: BodyClaim[]];

const responseChars = 16;

/** Null when nothing is claimed or accounted for. */
export function encodeClaims(claims: Claims): ClaimsBody | null {
  const { isPooled, pool, keys, responses } = claims;
  if (!isPooled && keys.size === 0 && responses.size === 0) return null;
  const sorted = [...responses].sort(([left], [right]) => compareText(left, right));
  const claimed = sorted.flatMap(([response, each]) =>
    each.is === 'claimed' ? [{ response, claim: each.claim }] : [],
  );
  const accounted = sorted.flatMap(([response, each]) =>
    each.is === 'accounted' ? [{ response, key: each.key }] : [],
  );
  const models = createModels(claims);
  return {
    pooled: isPooled,
    models: models.list,
    pool: encodeGroup(pool, models),
    keys: [...keys]
      .sort(([left], [right]) => compareText(left, right))
      .map(([key, group]) => [key, ...encodeGroup(group, models)] as const),
    covered: sorted
      .filter(([, { is }]) => is === 'covered')
      .map(([response]) => response)
      .join(''),
    accounted: [...Map.groupBy(accounted, ({ key }) => key)].map(
      ([key, group]) => [key, group.map(({ response }) => response).join('')] as const,
    ),
    claimed: [
      ...Map.groupBy(claimed, ({ claim }) =>
        JSON.stringify([claim.atMs, models.indexOf(claim)]),
      ).values(),
    ].map((group) => encodeAnswers(group, models)),
  };
}

export function decodeClaims(body: ClaimsBody | null): Claims {
  const claims = createClaims();
  if (body === null) return claims;
  const decode = ([atMs, model, ...amounts]: BodyClaim): Claim => {
    const [provider, name, costSource = ''] = body.models[model] as BodyModel;
    return {
      atMs,
      provider,
      model: name,
      costSource,
      amounts: untrimmed(amounts),
      rest: zeroAmounts,
    };
  };
  const fill = (group: ClaimGroup, [accounted, ...list]: BodyGroup): ClaimGroup => {
    untrimmed(accounted).forEach((amount, index) => {
      group.accounted[index] = amount;
    });
    group.claims.push(...list.map(decode));
    return group;
  };
  claims.isPooled = body.pooled;
  fill(claims.pool, body.pool);
  for (const [key, ...group] of body.keys) {
    claims.keys.set(key, fill({ accounted: zeroAmounts.slice(), claims: [] }, group));
    claims.sharedClaims += group.length - 1;
  }
  for (const response of responsesOf(body.covered))
    claims.responses.set(response, { is: 'covered' });
  for (const [key, text] of body.accounted)
    for (const response of responsesOf(text))
      claims.responses.set(response, { is: 'accounted', key });
  for (const [atMs, model, ...answers] of body.claimed) {
    for (const [response, ...amounts] of answers) {
      const claim = decode([atMs, model, ...amounts]);
      claim.rest = claim.amounts;
      claims.responses.set(response, { is: 'claimed', claim });
    }
  }
  for (const group of claims.isPooled ? [claims.pool] : claims.keys.values()) recall(group);
  return claims;
}

interface Models {
  readonly list: readonly BodyModel[];
  indexOf(claim: Claim): number;
}

/** The pool has a claim for every provider, model and cost source. */
function createModels({ pool }: Claims): Models {
  const textOf = ({ provider, model, costSource }: Claim): string =>
    JSON.stringify([provider, model, costSource]);
  const texts = pool.claims.map(textOf).sort();
  const indexes = new Map(texts.map((text, index) => [text, index]));
  return {
    list: texts.map((text) => JSON.parse(text)),
    indexOf: (claim) => indexes.get(textOf(claim)) ?? 0,
  };
}

function encodeGroup({ accounted, claims }: ClaimGroup, models: Models): BodyGroup {
  const list = claims.map(
    (claim) => [claim.atMs, models.indexOf(claim), ...trimmed(claim.amounts)] as const,
  );
  return [trimmed(accounted), ...list];
}

interface Answer {
  readonly response: string;
  readonly claim: Claim;
}

/** `group`: answers of one time and model. */
function encodeAnswers(group: readonly Answer[], models: Models): ClaimsBody['claimed'][number] {
  const { claim } = group[0] as Answer;
  const answers = group.map((each) => [each.response, ...trimmed(each.claim.amounts)] as const);
  return [claim.atMs, models.indexOf(claim), ...answers];
}

function recall(group: ClaimGroup): void {
  const rests = restsOf(group);
  group.claims.forEach((claim, index) => {
    claim.rest = rests[index] ?? zeroAmounts;
  });
}

function responsesOf(text: string): string[] {
  return Array.from({ length: text.length / responseChars }, (_, index) =>
    text.slice(index * responseChars, (index + 1) * responseChars),
  );
}

function trimmed(amounts: readonly Amount[]): Amounts {
  return amounts.slice(0, amounts.findLastIndex((amount) => amount !== 0) + 1).map(amountToJson);
}

function untrimmed(amounts: Amounts): Amount[] {
  return usageMeasures.map((_, index) => amountFromJson(amounts[index] ?? 0));
}
