/**
 * What the rollup `usage` must hold, worked out the slow way: by somebody who knows all events from the start, looks at one record at a time,
 * and keeps no state. Written from the rules, not from the projection.
 */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import type { SessionLimits } from '../../../collector/projections/sessions.ts';

type Attributed = LedgerEvent<'pi.session.attributed.v1'>;

interface Spent {
  readonly atMs: number;
  readonly kind: string;
  readonly spend: Spend;
}

/** `records`, `inputTokens` and `nanoUsd` by the row's dimensions, joined. */
export function expectedUsage(events: readonly LedgerEvent[], limits: SessionLimits): Record<string, [bigint, bigint, bigint]> {
  const rows: Record<string, [bigint, bigint, bigint]> = {};
  for (const [session, all] of Map.groupBy(events, ({ subject }) => subject)) {
    const attributions = chosen(
      all.filter((event): event is Attributed => event.type === 'pi.session.attributed.v1'),
      limits.attributionsMax,
    );
    const spent = all.flatMap(spentBy);
    const cellMs = cellMsOf(spent, limits.cellsMax);
    for (const each of spent) {
      const key = rowOf(session, each, attributions, cellMs).join();
      const [records, tokens, nanoUsd] = rows[key] ?? [0n, 0n, 0n];
      rows[key] = [records + 1n, tokens + BigInt(each.spend.inputTokens), nanoUsd + BigInt(each.spend.costNanoUsd ?? 0)];
    }
  }
  return Object.fromEntries(Object.entries(rows).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function spentBy(event: LedgerEvent): Spent[] {
  const atMs = Date.parse(event.time);
  if (event.type === 'pi.turn.completed.v1') return [{ atMs, kind: 'turn', spend: event.data.spend }];
  if (event.type === 'pi.usage.recorded.v1') return [{ atMs, kind: event.data.kind, spend: event.data.spend }];
  if (event.type === 'pi.tool.completed.v1' && event.data.spend !== null) return [{ atMs, kind: 'tool', spend: event.data.spend }];
  if (event.type === 'pi.compaction.completed.v1' && event.data.spend !== null)
    return [{ atMs, kind: 'compaction', spend: event.data.spend }];
  if (event.type === 'pi.branch.summarized.v1' && event.data.spend !== null)
    return [{ atMs, kind: 'branch_summary', spend: event.data.spend }];
  return [];
}

/** Live ones if there are any; by time; the newest of too many. Those of one time differ in content or are one. */
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

function cellMsOf(spent: readonly Spent[], cellsMax: number): number {
  const minutes = new Set(
    spent.map(({ atMs, kind, spend }) => JSON.stringify([Math.floor(atMs / 60_000), spend.provider, spend.model, kind])),
  );
  return minutes.size > cellsMax ? 15 * 60_000 : 60_000;
}

function rowOf(session: string, { atMs, kind, spend }: Spent, attributions: readonly Attributed[], cellMs: number): string[] {
  const startMs = Math.floor(atMs / cellMs) * cellMs;
  const place = Math.max(0, attributions.filter(({ time }) => Date.parse(time) < startMs + cellMs).length - 1);
  const facts = attributions[place]?.data;
  const provider = spend.provider ?? '';
  const knowing = [...attributions.slice(place), ...attributions.slice(0, place).toReversed()].find(({ data }) => provider in data.billing);
  return [
    new Date(startMs).toISOString().slice(0, 13),
    new Date(startMs + (facts?.utcOffsetMinutes ?? 0) * 60_000).toISOString().slice(0, 10),
    session,
    facts?.project.name ?? '',
    facts?.project.branch ?? '',
    facts?.user ?? '',
    facts?.machine ?? '',
    facts?.host.name ?? '',
    provider,
    spend.model ?? '',
    kind,
    knowing?.data.billing[provider] ?? 'unknown',
  ];
}
