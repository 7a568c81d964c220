/**
 * The harness's own fold: what the events of the log come to, by project and by model, counted from
 * the plan of each event by code that shares nothing with the views.
 */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import { type Amounts, placeOf, planned } from '../load/events.ts';

export interface Figures {
  records: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  meteredNanoUsd: string;
  unknownBillingNanoUsd: string;
}

export interface UsageFold {
  readonly byProject: ReadonlyMap<string, Figures>;
  readonly byModel: ReadonlyMap<string, Figures>;
}

/** Of sessions whose project nobody said. */
const nowhere = 'null';

export function foldOf(seed: number, ids: Iterable<string>): UsageFold {
  const plans = [...ids].flatMap((id) => {
    const place = placeOf(id);
    return place === null ? [] : [planned(seed, place)];
  });
  const projectOf = new Map(
    plans.flatMap(({ session, project }) => (project === null ? [] : [[session, project]])),
  );
  const byProject = new Map<string, Sum>();
  const byModel = new Map<string, Sum>();
  for (const { session, amounts } of plans) {
    if (amounts === null) continue;
    const project = projectOf.get(session) ?? nowhere;
    add(byProject, project, amounts, project !== nowhere);
    add(byModel, amounts.model, amounts, project !== nowhere);
  }
  return { byProject: finished(byProject), byModel: finished(byModel) };
}

type Counted = Omit<Amounts, 'model' | 'costNanoUsd'>;
interface Sum extends Counted {
  records: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  meteredNanoUsd: bigint;
  unknownBillingNanoUsd: bigint;
}

function add(sums: Map<string, Sum>, key: string, amounts: Amounts, isMetered: boolean): void {
  const sum = sums.get(key) ?? nothing();
  sum.records += 1;
  sum.inputTokens += amounts.inputTokens;
  sum.outputTokens += amounts.outputTokens;
  sum.cacheReadTokens += amounts.cacheReadTokens;
  sum.cacheWriteTokens += amounts.cacheWriteTokens;
  if (isMetered) sum.meteredNanoUsd += BigInt(amounts.costNanoUsd);
  else sum.unknownBillingNanoUsd += BigInt(amounts.costNanoUsd);
  sums.set(key, sum);
}

function nothing(): Sum {
  return {
    ...{ records: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    ...{ meteredNanoUsd: 0n, unknownBillingNanoUsd: 0n },
  };
}

function finished(sums: ReadonlyMap<string, Sum>): ReadonlyMap<string, Figures> {
  return new Map(
    [...sums].map(([key, sum]) => [
      key,
      {
        ...sum,
        meteredNanoUsd: String(sum.meteredNanoUsd),
        unknownBillingNanoUsd: String(sum.unknownBillingNanoUsd),
      },
    ]),
  );
}

/** A row of `GET /v1/usage?by=project` or `by=model`. */
export type UsageRow = UsageFigures & { readonly project?: unknown; readonly model?: unknown };

/** What the answer says otherwise than the fold. */
export function differencesOf(
  what: 'project' | 'model',
  rows: readonly UsageRow[],
  expected: ReadonlyMap<string, Figures>,
): readonly string[] {
  const found = new Map(rows.map((row) => [String(row[what] ?? nowhere), row]));
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((key) => {
    const [wanted, row] = [expected.get(key), found.get(key)];
    if (wanted === undefined) return [`usage by ${what} has ${key}, of which the log has nothing`];
    if (row === undefined) return [`usage by ${what} lacks ${key}`];
    return (Object.keys(wanted) as (keyof Figures)[]).flatMap((field) =>
      row[field] === wanted[field]
        ? []
        : [`usage by ${what}: ${key} has ${field} ${row[field]}, the log ${wanted[field]}`],
    );
  });
}
