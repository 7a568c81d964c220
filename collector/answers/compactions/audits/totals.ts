/**
 * Totals of rows of the audit, overall and by project and model. Unknown amounts are counted, not
 * taken as zero. Each row is looked at once. Pure, and in turns with others.
 */
import type {
  Compaction,
  CompactionTotals,
  CompactionTotalsOfBilling,
} from '@pi-ledger/contract/answers';
import { type Billing, billings } from '@pi-ledger/contract/billings';
import { inTurns } from '../../../timers/in-turns.ts';
import { addAmount, addSum, type ExactSum, exactSum, textOf } from './exact-sum.ts';

type Label = string | null;

interface Tally {
  compactions: number;
  branchSummaries: number;
  failures: number;
  savedTokens: number;
  regretReads: number;
  regretTokens: number;
  regretted: number;
  readonly byBilling: Readonly<Record<Billing, BilledTally>>;
}

interface BilledTally {
  summaries: number;
  compactions: number;
  unreportedCosts: number;
  unknownCacheMisses: number;
  nets: number;
  upperBoundNets: number;
  readonly cost: ExactSum;
  readonly cacheMiss: ExactSum;
  readonly net: ExactSum;
}

export function totalsOf(rows: Iterable<Compaction>): CompactionTotals {
  const tally = emptyTally();
  for (const row of rows) addRow(tally, row);
  return totalsIn(tally);
}

export interface AllTotals {
  readonly total: CompactionTotals;
  /** One total for each value that occurs, the most compactions first. */
  readonly byProject: (CompactionTotals & { readonly project: Label })[];
  readonly byModel: (CompactionTotals & { readonly model: Label })[];
}

export async function allTotalsOf(rows: Iterable<Compaction>): Promise<AllTotals> {
  const projects = new Map<Label, Map<Label, Tally>>();
  const models = new Map<Label, Tally[]>();
  await inTurns(rows, (row) => addRow(tallyOf(row, projects, models), row));
  const byProject: AllTotals['byProject'] = [];
  await inTurns(projects, ([project, tallies]) => {
    byProject.push({ project, ...totalsIn(sumOf(tallies.values())) });
  });
  const total = emptyTally();
  const byModel: AllTotals['byModel'] = [];
  for (const [model, tallies] of models) {
    const sum = emptyTally();
    await inTurns(tallies, (tally) => addTally(sum, tally));
    addTally(total, sum);
    byModel.push({ model, ...totalsIn(sum) });
  }
  return {
    total: totalsIn(total),
    byProject: byProject.sort((left, right) =>
      compareTotals(left, right, left.project, right.project),
    ),
    byModel: byModel.sort((left, right) => compareTotals(left, right, left.model, right.model)),
  };
}

/** Finds or adds the tally of the row's project and model. */
function tallyOf(
  { project, model }: Compaction,
  projects: Map<Label, Map<Label, Tally>>,
  models: Map<Label, Tally[]>,
): Tally {
  const ofProject = projects.get(project) ?? new Map<Label, Tally>();
  if (ofProject.size === 0) projects.set(project, ofProject);
  const known = ofProject.get(model);
  if (known !== undefined) return known;
  const tally = emptyTally();
  ofProject.set(model, tally);
  const ofModel = models.get(model);
  if (ofModel === undefined) models.set(model, [tally]);
  else ofModel.push(tally);
  return tally;
}

function compareTotals(
  left: CompactionTotals,
  right: CompactionTotals,
  leftLabel: Label,
  rightLabel: Label,
): number {
  return right.compactions - left.compactions || (String(leftLabel) < String(rightLabel) ? -1 : 1);
}

function emptyTally(): Tally {
  return {
    ...{ compactions: 0, branchSummaries: 0, failures: 0, savedTokens: 0 },
    ...{ regretReads: 0, regretTokens: 0, regretted: 0 },
    byBilling: { metered: emptyBilled(), subscription: emptyBilled(), unknown: emptyBilled() },
  };
}

function emptyBilled(): BilledTally {
  return {
    ...{ summaries: 0, compactions: 0, unreportedCosts: 0, unknownCacheMisses: 0 },
    ...{ nets: 0, upperBoundNets: 0 },
    ...{ cost: exactSum(), cacheMiss: exactSum(), net: exactSum() },
  };
}

function addRow(tally: Tally, row: Compaction): void {
  if (row.kind === 'failure') {
    tally.failures += 1;
    return;
  }
  if (row.billing !== null) addSummary(tally.byBilling[row.billing], row);
  if (row.kind === 'branchSummary') {
    tally.branchSummaries += 1;
    return;
  }
  tally.compactions += 1;
  if (row.tokensAfterMeasured !== null) tally.savedTokens += row.savedTokens ?? 0;
  tally.regretReads += row.regretReads ?? 0;
  tally.regretTokens += row.regretTokens ?? 0;
  if ((row.regretReads ?? 0) > 0) tally.regretted += 1;
}

function addSummary(tally: BilledTally, row: Compaction): void {
  const { kind, costNanoUsd, cacheMissNanoUsd, cacheMissTokens, netNanoUsd } = row;
  tally.summaries += 1;
  if (costNanoUsd === null) tally.unreportedCosts += 1;
  else addAmount(tally.cost, costNanoUsd);
  if (cacheMissNanoUsd !== null) addAmount(tally.cacheMiss, cacheMissNanoUsd);
  else if (cacheMissTokens !== null) tally.unknownCacheMisses += 1;
  if (kind !== 'compaction') return;
  tally.compactions += 1;
  if (netNanoUsd === null) return;
  tally.nets += 1;
  addAmount(tally.net, netNanoUsd);
  if (row.netIsUpperBound === true) tally.upperBoundNets += 1;
}

const counts = [
  ...(['compactions', 'branchSummaries', 'failures', 'savedTokens'] as const),
  ...(['regretReads', 'regretTokens', 'regretted'] as const),
] as const;
const billedCounts = [
  ...(['summaries', 'compactions', 'unreportedCosts'] as const),
  ...(['unknownCacheMisses', 'nets', 'upperBoundNets'] as const),
] as const;
const sums = ['cost', 'cacheMiss', 'net'] as const;

function sumOf(tallies: Iterable<Tally>): Tally {
  const sum = emptyTally();
  for (const tally of tallies) addTally(sum, tally);
  return sum;
}

function addTally(sum: Tally, tally: Tally): void {
  for (const name of counts) sum[name] += tally[name];
  for (const billing of billings) {
    const [into, from] = [sum.byBilling[billing], tally.byBilling[billing]];
    for (const name of billedCounts) into[name] += from[name];
    for (const name of sums) addSum(into[name], from[name]);
  }
}

function totalsIn(tally: Tally): CompactionTotals {
  const { compactions, branchSummaries, failures, regretted, byBilling } = tally;
  const { savedTokens, regretReads, regretTokens } = tally;
  return {
    ...{ compactions, branchSummaries, failures },
    byBilling: {
      metered: billedTotalsIn(byBilling.metered),
      subscription: billedTotalsIn(byBilling.subscription),
      unknown: billedTotalsIn(byBilling.unknown),
    },
    ...{ savedTokens, regretReads, regretTokens, regrettedCompactions: regretted },
    regretRate: compactions === 0 ? null : regretted / compactions,
  };
}

function billedTotalsIn(tally: BilledTally): CompactionTotalsOfBilling {
  const { summaries, compactions, unreportedCosts, unknownCacheMisses } = tally;
  const { nets, upperBoundNets, cost, cacheMiss, net } = tally;
  return {
    ...{ costNanoUsd: textOf(cost), summaries, unreportedCosts },
    ...{ cacheMissNanoUsd: textOf(cacheMiss), unknownCacheMisses },
    ...{ netNanoUsd: textOf(net), nets, upperBoundNets, unknownNets: compactions - nets },
  };
}
