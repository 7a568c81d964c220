/**
 * Projects and models that spent more than in the period before, with the split behind it. Says
 * nothing where the ledger does not have the period before.
 */
import {
  amountOf,
  byAmount,
  dimension,
  type Finding,
  type FindingRow,
  type InsightKind,
  type InsightLedger,
  totals,
  totalsBy,
} from '../finding.ts';
import { change, dollars, nameOr } from '../text.ts';

interface Grouped {
  readonly name: string;
  readonly of: 'project' | 'model';
  readonly by: 'branch' | 'project';
}

export const projectSpendsMore = spendsMore({
  name: 'project-spends-more',
  of: 'project',
  by: 'branch',
});
export const modelSpendsMore = spendsMore({
  name: 'model-spends-more',
  of: 'model',
  by: 'project',
});

/** Less than a tenth more, or than a dollar, is no change. */
const shareMin = 10n;
const nanoUsdMin = 1_000_000_000n;
const partsNamed = 3;

function spendsMore({ name, of, by }: Grouped): InsightKind {
  return {
    name,
    async find(ledger) {
      if (!(await ledger.hasBefore())) return [];
      const parts = await partsOf(ledger, of, by);
      const groups = Map.groupBy(parts, ({ key, billing }) => JSON.stringify([key, billing]));
      return [...groups.values()].flatMap((group) => findingOf(group, { name, of, by }, ledger));
    },
  };
}

interface Part {
  /** The project or model. */
  readonly key: string;
  readonly part: string;
  readonly billing: string;
  readonly now: bigint;
  readonly before: bigint;
  /** Records without a price. */
  readonly unpriced: bigint;
  readonly unpricedBefore: bigint;
}

async function partsOf(
  { sum, byModel }: InsightLedger,
  of: Grouped['of'],
  by: Grouped['by'],
): Promise<readonly Part[]> {
  const [now, then] = [
    of === 'model'
      ? totalsBy(await byModel(), [of, by, 'billing'])
      : await sum([of, by, 'billing'], 'now'),
    await sum([of, by, 'billing'], 'before'),
  ];
  const keyOf = (row: (typeof now)[number]): string =>
    JSON.stringify([of, by, 'billing'].map((each) => dimension(row, each)));
  const [nows, thens] = [totals(now, keyOf, amountOf), totals(then, keyOf, amountOf)];
  const unpricedOf = (row: (typeof now)[number]): bigint => amountOf(row, 'unpricedRecords');
  const [unpriced, unpricedBefore] = [
    totals(now, keyOf, unpricedOf),
    totals(then, keyOf, unpricedOf),
  ];
  const rows = new Map([...now, ...then].map((row) => [keyOf(row), row]));
  return [...rows].map(([text, row]) => ({
    key: dimension(row, of),
    part: dimension(row, by),
    billing: dimension(row, 'billing'),
    now: nows.get(text) ?? 0n,
    before: thens.get(text) ?? 0n,
    unpriced: unpriced.get(text) ?? 0n,
    unpricedBefore: unpricedBefore.get(text) ?? 0n,
  }));
}

function findingOf(
  parts: readonly Part[],
  { of, by }: Grouped,
  { beforeWords, options }: InsightLedger,
): readonly Finding[] {
  const [first] = parts;
  if (first === undefined) return [];
  const total = (name: 'now' | 'before' | 'unpriced' | 'unpricedBefore'): bigint =>
    parts.reduce((sum, part) => sum + part[name], 0n);
  const [now, then] = [total('now'), total('before')];
  const more = now - then;
  if (more < nanoUsdMin || more * shareMin < then) return [];
  const rows = parts
    .map((part): FindingRow => {
      const nanoUsd = part.now - part.before;
      const text = `${change(nanoUsd)}: ${dollars(part.now)} against ${dollars(part.before)}`;
      return { is: by, id: part.part, nanoUsd, text };
    })
    .toSorted(byAmount);
  const split = rows
    .filter(({ nanoUsd }) => (nanoUsd ?? 0n) > 0n)
    .slice(0, partsNamed)
    .map(({ id, nanoUsd }) => `${nameOr(id)} ${change(nanoUsd ?? 0n)}`);
  const against = then === 0n ? 'nothing' : dollars(then);
  return [
    {
      subject: [first.key],
      billing: first.billing,
      nanoUsd: more,
      bound: boundOf(total('unpriced') > 0n, total('unpricedBefore') > 0n),
      isChange: true,
      title:
        `${nameOr(first.key)} spends more: ${dollars(now)} against ${against} ` +
        `in ${beforeWords}`,
      reason: split.join(', '),
      command: ['report', `--${of}`, first.key, '--by', by, ...options],
      rows,
    },
  ];
}

/** What has no price now may only add to the change; what had none before may only take from it. */
function boundOf(isNowUnpriced: boolean, wasUnpriced: boolean): Finding['bound'] {
  if (isNowUnpriced && wasUnpriced) return 'estimated';
  if (isNowUnpriced) return 'atLeast';
  return wasUnpriced ? 'atMost' : 'exact';
}
