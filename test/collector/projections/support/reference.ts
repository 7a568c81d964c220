/**
 * A slow reference for the rollup `usage`: it knows all events from the start, looks at one record
 * at a time, and keeps no state. Written from the rules, not from the projection.
 */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import type { SessionLimits } from '../../../../collector/projections/session/fold-event.ts';
import {
  claimedAmounts,
  claimsIn,
  hasTokens,
  least,
  type Measured,
  measured,
  sourced,
  sumOf,
} from './reference-claims.ts';
import { expectedHead, expectedLabels } from './reference-notes.ts';

/** The labels that the rules give a project. */
export type RuledLabels = (project: string) => Readonly<Record<string, string>>;

type Attributed = LedgerEvent<'pi.session.attributed.v1'>;

/** Spend, estimates and rests of claims. */
export interface Spent {
  readonly atMs: number;
  readonly kind: string;
  readonly provider: string | null;
  readonly model: string | null;
  /** `provider`, `catalog`, `unpriced` or nothing. */
  readonly costSource: string;
  /** Of answers only. */
  readonly thinking?: string | null;
  readonly stopReason?: string | null;
  readonly amounts: Measured;
}

/** Amounts by the row's joined dimensions, without empty rows. */
export function expectedUsage(
  events: readonly LedgerEvent[],
  limits: SessionLimits,
  ruled: RuledLabels = () => ({}),
): Record<string, Measured> {
  const rows: Record<string, Measured> = {};
  for (const [session, all] of Map.groupBy(events, ({ subject }) => subject)) {
    const attributions = chosen(
      all.filter((event): event is Attributed => event.type === 'pi.session.attributed.v1'),
      limits.attributionsMax,
    );
    const spent = [
      ...all.filter((event) => !isCopy(event)).flatMap(spentBy),
      ...claimedAmounts(all, limits.claimsMax),
      ...printedIn(all),
    ];
    const copies = all.filter(isCopy).flatMap(spentBy);
    const lines = [...spent, ...copies.map(withoutAnswer), ...claimsIn(all)];
    const cellMs = cellMsOf(lines, limits.cellsMax);
    for (const each of [...spent, ...copiedAmounts(copies, spent, cellMs)]) {
      const key = rowOf(session, each, attributions, cellMs, all, ruled).join();
      rows[key] = sum(rows[key] ?? {}, each.amounts);
    }
  }
  const present = Object.entries(rows).filter(([, amounts]) =>
    Object.values(amounts).some((amount) => amount !== 0n),
  );
  return Object.fromEntries(present.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function sum(left: Measured, right: Measured): Measured {
  return Object.fromEntries(
    Object.keys({ ...left, ...right })
      .toSorted()
      .map((name) => [name, (left[name] ?? 0n) + (right[name] ?? 0n)]),
  );
}

/** Answers in event streams, unless the session is known from elsewhere. */
function printedIn(all: readonly LedgerEvent[]): Spent[] {
  const isKnown = all.some(
    (event) =>
      event.type === 'pi.session.started.v1' ||
      (event.type === 'pi.turn.completed.v1' && !isCopy(event)),
  );
  const one = isKnown ? 0n : 1n;
  return all.flatMap((event) => {
    if (event.type !== 'pi.answer.streamed.v1') return [];
    const { provider, model } = event.data.printed;
    const amounts = { records: one, unreportedRecords: one, streamedAnswers: one };
    const atMs = Date.parse(event.time);
    return [{ atMs, kind: 'streamed_answer', provider, model, costSource: '', amounts }];
  });
}

/** An entry of a copy that lost its price; its owner's record has another id. */
function isCopy({ ownership, data }: LedgerEvent): boolean {
  const spend = 'spend' in data ? data.spend : null;
  return (
    (ownership === 'named' || ownership === 'assumed') &&
    spend !== null &&
    spend.reported &&
    spend.costSource === 'unpriced'
  );
}

/** Nobody can say which of the copied answers is left. */
function withoutAnswer(copy: Spent): Spent {
  return { ...copy, thinking: null, stopReason: null };
}

/** What copies have beyond everything else of their model and cell. */
function copiedAmounts(copies: readonly Spent[], spent: readonly Spent[], cellMs: number): Spent[] {
  const cellOf = ({ atMs, kind, provider, model }: Spent) =>
    JSON.stringify([Math.floor(atMs / cellMs), provider, model, kind]);
  return [...Map.groupBy(copies, cellOf)].flatMap(([cell, said]) => {
    const own = sumOf(spent.filter((each) => cellOf(each) === cell));
    const beyond = ([name, amount]: [string, bigint]) =>
      [name, amount > (own[name] ?? 0n) ? amount - (own[name] ?? 0n) : 0n] as const;
    const left: Measured = Object.fromEntries(Object.entries(sumOf(said)).map(beyond));
    if (left.records === 0n || !hasTokens(left)) return [];
    const { reasoningTokens = 0n, outputTokens = 0n, records = 0n } = left;
    const amounts = {
      ...left,
      reasoningTokens: least(reasoningTokens, outputTokens),
      unpricedRecords: records,
    };
    return said.slice(0, 1).map((each) => ({ ...withoutAnswer(each), amounts }));
  });
}

function spentBy(event: LedgerEvent): Spent[] {
  const atMs = Date.parse(event.time);
  const record = (kind: string, spend: Spend | null): Spent[] =>
    spend === null ? [] : [{ ...sourced(spend), atMs, kind, amounts: measured(spend) }];
  if (event.type === 'pi.turn.completed.v1') {
    const { thinkingLevel: thinking, stopReason } = event.data;
    return record('turn', event.data.spend).map((each) => ({ ...each, thinking, stopReason }));
  }
  if (event.type === 'pi.usage.recorded.v1') return record(event.data.kind, event.data.spend);
  // With a turn, it is a claim.
  if (event.type === 'pi.tool.completed.v1' && event.data.turnEntryId === null)
    return record('tool', event.data.spend);
  if (event.type === 'pi.compaction.completed.v1') return record('compaction', event.data.spend);
  if (event.type === 'pi.branch.summarized.v1') return record('branch_summary', event.data.spend);
  if (event.type === 'pi.requests.observed.v1') {
    const { provider, unexplained, explainedLater } = event.data;
    const left = BigInt(unexplained - explainedLater);
    const amounts = { records: left, unreportedRecords: left, packageRequests: left };
    return [{ atMs, kind: 'package_request', provider, model: null, costSource: '', amounts }];
  }
  if (event.type !== 'pi.attempt.estimated.v1') return [];
  const { provider, model, tokensMax, costNanoUsdMax } = event.data;
  const amounts = {
    unreportedTokensMax: BigInt(tokensMax),
    unreportedNanoUsdMax: BigInt(costNanoUsdMax ?? 0),
  };
  return [{ atMs, kind: 'turn', provider, model, costSource: '', amounts }];
}

/**
 * Live attributions if there are any, by time, the newest of too many. Duplicates of one time count
 * once.
 */
function chosen(attributions: readonly Attributed[], attributionsMax: number): Attributed[] {
  const live = attributions.filter(({ data }) => data.basis === 'live');
  const counting = live.length > 0 ? live : attributions;
  const order = ({ time, data }: Attributed) => {
    const billing = Object.fromEntries(Object.entries(data.billing).toSorted());
    return `${time} ${JSON.stringify({ ...data, basis: undefined, billing })}`;
  };
  const distinct = new Map(counting.map((event) => [order(event), event]));
  return [...distinct]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, event]) => event)
    .slice(-attributionsMax);
}

type Line = Omit<Spent, 'amounts' | 'atMs'>;

function lineOf({ provider, model, kind, thinking, costSource, stopReason }: Line): string[] {
  return [provider, model, kind, thinking, costSource, stopReason].map((text) => text ?? '');
}

function cellMsOf(spent: readonly Omit<Spent, 'amounts'>[], cellsMax: number): number {
  const minutes = new Set(
    spent.map(({ atMs, ...line }) => JSON.stringify([Math.floor(atMs / 60_000), ...lineOf(line)])),
  );
  return minutes.size > cellsMax ? 15 * 60_000 : 60_000;
}

function rowOf(
  session: string,
  spent: Spent,
  attributions: readonly Attributed[],
  cellMs: number,
  all: readonly LedgerEvent[],
  ruled: RuledLabels,
): string[] {
  const startMs = Math.floor(spent.atMs / cellMs) * cellMs;
  const place = Math.max(
    0,
    attributions.filter(({ time }) => Date.parse(time) < startMs + cellMs).length - 1,
  );
  const facts = attributions[place]?.data;
  const provider = spent.provider ?? '';
  const knowing = [...attributions.slice(place), ...attributions.slice(0, place).toReversed()].find(
    ({ data }) => provider in data.billing,
  );
  const day = new Date(startMs + (facts?.utcOffsetMinutes ?? 0) * 60_000)
    .toISOString()
    .slice(0, 10);
  const names = namesIn(facts);
  const { project, branch, user, machine, host } = names;
  const model = spent.model ?? '';
  const labelled = { ...names, provider, model, day, startMs, endMs: startMs + cellMs };
  return [
    new Date(startMs).toISOString().slice(0, 13),
    day,
    session,
    project,
    branch,
    user,
    machine,
    host,
    provider,
    model,
    spent.kind,
    knowing?.data.billing[provider] ?? 'unknown',
    facts?.agent.kind ?? '',
    facts?.agent.name ?? '',
    spent.thinking ?? '',
    spent.costSource,
    spent.stopReason ?? '',
    expectedLabels(all, labelled, ruled(project)),
    expectedHead(all, labelled),
  ];
}

function namesIn(facts: Attributed['data'] | undefined) {
  return {
    project: facts?.project.name ?? '',
    branch: facts?.project.branch ?? '',
    user: facts?.user ?? '',
    machine: facts?.machine ?? '',
    host: facts?.host.name ?? '',
  };
}
