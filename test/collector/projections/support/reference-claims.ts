/**
 * A reference for the counted part of claims, which sees all claims and accounts of a session at
 * once.
 */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import type { Spent } from './reference.ts';

export type Measured = Readonly<Record<string, bigint>>;

interface Claim extends Spent {
  readonly key: string;
}

interface Account {
  readonly atMs: number;
  readonly keys: readonly string[];
  readonly amounts: Measured;
}

/** Every measure of a record, without the sums of estimates. */
export function measured(spend: Spend): Measured {
  const isUnpriced = spend.reported && spend.costNanoUsd === null;
  return {
    records: 1n,
    ...tokensOf(spend),
    ...(spend.reported && !isUnpriced ? partsOf(spend) : {}),
    unpricedRecords: isUnpriced ? 1n : 0n,
    unreportedRecords: spend.reported ? 0n : 1n,
  };
}

/** Whose model it is, and who says what it cost. */
export function sourced(spend: Spend) {
  const { provider, model, reported, costNanoUsd, costSource } = spend;
  const source = costNanoUsd === null ? 'unpriced' : costSource;
  return { provider, model, costSource: reported ? source : '' };
}

/** Of whole nano-dollars; a part that is no price is left out. */
function partsOf({ rawUsage: { cost } }: Spend): Measured {
  const said = typeof cost === 'object' && cost !== null ? Object.entries(cost) : [];
  const parts = said.filter(([name, usd]) => name !== 'total' && Number.isFinite(usd) && usd > 0);
  return Object.fromEntries(
    parts.map(([name, usd]) => [`${name}NanoUsd`, BigInt(Math.round(Number(usd) * 1e9))]),
  );
}

export function claimsIn(events: readonly LedgerEvent[]): Claim[] {
  return events.flatMap((event) => {
    const claim = (key: string, spend: Spend): Claim[] => {
      if (!spend.reported) return [];
      return [
        {
          key,
          atMs: Date.parse(event.time),
          kind: 'tool',
          ...sourced(spend),
          amounts: measured(spend),
        },
      ];
    };
    if (event.type === 'pi.subagent.claimed.v1') return claim(event.data.key, event.data.claimed);
    if (event.type !== 'pi.tool.completed.v1') return [];
    const { turnEntryId, spend } = event.data;
    return turnEntryId === null || spend === null ? [] : claim(`turn:${turnEntryId}`, spend);
  });
}

/** One entry for each claim with anything to count. */
export function claimedAmounts(events: readonly LedgerEvent[], claimsMax: number): Spent[] {
  const claims = claimsIn(events);
  const accounts = events.flatMap((event): Account[] => {
    if (event.type !== 'pi.subagent.accounted.v1' || !event.data.accounted.reported) return [];
    const { keys, accounted } = event.data;
    return [{ atMs: Date.parse(event.time), keys, amounts: tokensOf(accounted) }];
  });
  const keys = new Set([
    ...claims.map(({ key }) => key),
    ...accounts.flatMap((account) => account.keys),
  ]);
  const shared = claims.filter(({ key }) => !isResponse(key));
  const answers = [...keys].filter(isResponse).length;
  const stored = keys.size - answers + Math.max(answers, timesOf(accounts));
  if (stored + shared.length > claimsMax)
    return takeOff(
      byModel(claims),
      accounts.map((account) => ({ ...account, atMs: 0 })),
    );
  return [...keys].flatMap((key) => {
    const own = claims.filter((claim) => claim.key === key).toSorted(compare);
    if (isResponse(key))
      return accounts.some((account) => account.keys.includes(key)) ? [] : own.slice(0, 1);
    const covering = answersFor(key, claims, accounts);
    const rests = takeOff(own, covering);
    const isKnown = isTurn(key) && accounts.some((account) => account.keys.includes(key));
    return isKnown && isJust(rests, alone(claims, accounts, own)) ? [] : rests;
  });
}

/** The accounts under a turn, and those of answers under nothing else, are stored by time. */
function timesOf(accounts: readonly Account[]): number {
  const times = accounts.flatMap(({ atMs, keys }) =>
    keys.every(isResponse)
      ? [`no sum ${atMs}`]
      : keys.filter(isTurn).map((key) => `${key} ${atMs}`),
  );
  return new Set(times).size;
}

function isTurn(key: string): boolean {
  return key.startsWith('turn:');
}

/** Answers that are in no sum, until the last of these claims: the claims may include them. */
function alone(
  claims: readonly Claim[],
  accounts: readonly Account[],
  own: readonly Claim[],
): readonly Account[] {
  const untilMs = own.at(-1)?.atMs ?? 0;
  const inSums = accounts.filter(({ keys }) => !keys.every(isResponse)).map(responseOf);
  const answers = accounts
    .filter((account) => account.keys.every(isResponse) && !inSums.includes(responseOf(account)))
    .filter((account) => !claims.some(({ key }) => key === responseOf(account)))
    .toSorted((left, right) => right.atMs - left.atMs);
  const once = new Map(answers.map((account) => [responseOf(account), account]));
  return [...once.values()].filter(({ atMs }) => atMs <= untilMs);
}

/** To the token. */
function isJust(rests: readonly Spent[], accounts: readonly Account[]): boolean {
  const [left, said] = [sumOf(rests), sumOf(accounts)];
  return hasTokens(left) && tokenNames.every((name) => (left[name] ?? 0n) === (said[name] ?? 0n));
}

/** Each answer once, at its first time, without those claimed on their own. */
function answersFor(
  key: string,
  claims: readonly Claim[],
  accounts: readonly Account[],
): Account[] {
  const answers = new Map(
    accounts
      .filter(({ keys }) => keys.includes(key))
      .map((account) => (isTurn(key) ? account : { ...account, atMs: 0 }))
      .toSorted((left, right) => right.atMs - left.atMs)
      .map((account, index) => [responseOf(account) ?? index, account]),
  );
  return [...answers.values()].filter((account) => {
    const response = responseOf(account);
    return response === undefined || !claims.some((claim) => claim.key === response);
  });
}

function responseOf({ keys }: Account): string | undefined {
  return keys.find(isResponse);
}

function isResponse(key: string): boolean {
  return key.startsWith('response:');
}

function byModel(claims: readonly Claim[]): Spent[] {
  const groups = Map.groupBy(claims, ({ provider, model, costSource }) =>
    JSON.stringify([provider, model, costSource]),
  );
  return [...groups.values()]
    .map((group) => ({
      ...(group[0] as Claim),
      atMs: Math.min(...group.map(({ atMs }) => atMs)),
      amounts: sumOf(group),
    }))
    .toSorted(compare);
}

/** The claims are sorted by time: what is accounted for covers those that come after it. */
function takeOff(claims: readonly Spent[], accounts: readonly Account[]): Spent[] {
  const used: Record<string, bigint> = {};
  const rests = claims.map((claim) => {
    const rest: Record<string, bigint> = { ...claim.amounts };
    const until = sumOf(accounts.filter(({ atMs }) => atMs <= claim.atMs));
    for (const name of coveredNames) {
      const [amount = 0n, all = 0n, before = 0n] = [claim.amounts[name], until[name], used[name]];
      const covered = least(amount, all - before);
      rest[name] = amount - covered;
      used[name] = before + covered;
    }
    // Which part of the price is covered, nobody knows.
    if (coveredNames.some((name) => rest[name] !== (claim.amounts[name] ?? 0n)))
      for (const name of partNames) rest[name] = 0n;
    return rest;
  });
  const areTokensLeft = rests.some(hasTokens);
  return claims.map((claim, index) => ({
    ...claim,
    amounts: judge(claim.amounts, rests[index] ?? {}, areTokensLeft),
  }));
}

/**
 * When all tokens are covered, a difference in price is rounding; reasoning is part of the output.
 */
function judge(amounts: Measured, rest: Measured, areTokensLeft: boolean): Measured {
  const isRounding = hasTokens(amounts) && !areTokensLeft;
  const isLeft = hasTokens(rest) || (rest.nanoUsd !== 0n && !isRounding);
  const { reasoningTokens = 0n, outputTokens = 0n } = rest;
  return isLeft ? { ...rest, reasoningTokens: least(reasoningTokens, outputTokens) } : {};
}

export function hasTokens(amounts: Measured): boolean {
  return tokenNames.some((name) => (amounts[name] ?? 0n) !== 0n);
}

export function least(left: bigint, right: bigint): bigint {
  if (left < right) return left;
  return right;
}

const tokenNames = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
const coveredNames = [...tokenNames, 'reasoningTokens', 'nanoUsd'] as const;

function tokensOf(
  spend: Pick<Spend, (typeof tokenNames)[number] | 'reasoningTokens' | 'costNanoUsd'>,
): Measured {
  return {
    ...Object.fromEntries(tokenNames.map((name) => [name, BigInt(spend[name])])),
    reasoningTokens: BigInt(spend.reasoningTokens ?? 0),
    nanoUsd: BigInt(spend.costNanoUsd ?? 0),
  };
}

export function sumOf(each: readonly { readonly amounts: Measured }[]): Measured {
  const sums: Record<string, bigint> = {};
  for (const { amounts } of each)
    for (const [name, amount] of Object.entries(amounts)) sums[name] = (sums[name] ?? 0n) + amount;
  return sums;
}

/** By time, then by content. */
function compare(left: Spent, right: Spent): number {
  return left.atMs - right.atMs || (contentOf(left) < contentOf(right) ? -1 : 1);
}

const partNames = ['inputNanoUsd', 'outputNanoUsd', 'cacheReadNanoUsd', 'cacheWriteNanoUsd'];
const contentNames = [
  'records',
  ...coveredNames,
  'unpricedRecords',
  'unreportedRecords',
  ...partNames,
];

function contentOf({ provider, model, costSource, amounts }: Spent): string {
  return JSON.stringify([
    provider ?? '',
    model ?? '',
    costSource,
    ...contentNames.map((name) => String(amounts[name] ?? 0n)),
  ]);
}
