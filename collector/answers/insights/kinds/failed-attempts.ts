/**
 * Attempts that came to nothing: those that reported what they spent, and those that did not, as
 * far as an upper estimate is possible. By kind of billing, with the sessions behind it.
 */
import { countAttempts, type Unreported } from '@pi-ledger/contract/unreported';
import type { SumRow } from '../../../views/views.ts';
import {
  amountOf,
  byAmount,
  dimension,
  type Finding,
  type InsightKind,
  totalsBy,
} from '../finding.ts';
import { counted, dollars, shortId } from '../text.ts';

/** As the hosts call them. */
const failed = { column: 'stopReason', is: 'in', values: ['error', 'aborted'] } as const;
const attemptsMin = 3n;

export const failedAttempts: InsightKind = {
  name: 'failed-attempts',
  async find({ sum }) {
    const rows = await sum(['session', 'stopReason', 'billing'], 'now', [failed]);
    const spent = rows.filter((row) => amountOf(row) > 0n);
    return byBilling(spent, (billing, all) => {
      const records = sumOf(all, 'records') - sumOf(all, 'unreportedRecords');
      const nanoUsd = sumOf(all, 'nanoUsd');
      return {
        ...{ subject: [], billing, nanoUsd, isChange: false },
        bound: sumOf(all, 'unpricedRecords') > 0n ? 'atLeast' : 'exact',
        title: `${counted(records, 'answer')} failed or stopped midway cost ${dollars(nanoUsd)}`,
        reason: `in ${counted(sessionsOf(all), 'session')}`,
        ...behind(
          all,
          'nanoUsd',
          (row) => `${dollars(amountOf(row))} on ${dimension(row, 'stopReason')}`,
        ),
      };
    });
  },
};

export const unreportedAttempts: InsightKind = {
  name: 'unreported-attempts',
  async find({ bySession }) {
    const rows = totalsBy((await bySession()).filter(isUnreported), ['session', 'billing']);
    const unreported = rows.filter((row) => attemptsIn(row) > 0n);
    return byBilling(unreported, (billing, all) => {
      const attempts = all.reduce((sum, row) => sum + attemptsIn(row), 0n);
      if (attempts < attemptsMin) return null;
      const nanoUsdMax = sumOf(all, 'unreportedNanoUsdMax');
      const found = behind(all, 'unreportedNanoUsdMax', (row) =>
        counted(attemptsIn(row), 'attempt'),
      );
      const [worst] = found.rows;
      const most = worst === undefined ? '' : `${worst.text} in session ${shortId(worst.id)}`;
      return {
        ...{ subject: [], billing, bound: 'atMost', isChange: false },
        nanoUsd: nanoUsdMax === 0n ? null : nanoUsdMax,
        title: `${counted(attempts, 'attempt')} reported nothing`,
        reason:
          nanoUsdMax === 0n
            ? `what they cost is not known; ${most}`
            : `an upper estimate, of those that can be estimated; ${most}`,
        ...found,
      };
    });
  },
};

/** In part: what else the session spent is of no matter. */
function isUnreported(row: SumRow): boolean {
  return unreportedMeasures.some((measure) => amountOf(row, measure) !== 0n);
}

const unreportedMeasures = [
  'unreportedRecords',
  'unreportedNanoUsdMax',
  'packageRequests',
  'streamedAnswers',
] as const;

function attemptsIn(row: SumRow): bigint {
  const count = (measure: keyof Unreported) => Number(amountOf(row, measure));
  const attempts = countAttempts({
    unreportedRecords: count('unreportedRecords'),
    packageRequests: count('packageRequests'),
    streamedAnswers: count('streamedAnswers'),
  });
  return BigInt(attempts);
}

function byBilling(
  rows: readonly SumRow[],
  findingOf: (billing: string, rows: readonly SumRow[]) => Finding | null,
): readonly Finding[] {
  const groups = Map.groupBy(rows, (row) => dimension(row, 'billing'));
  return [...groups].flatMap(([billing, all]) => findingOf(billing, all) ?? []);
}

function behind(
  rows: readonly SumRow[],
  measure: string,
  textOf: (row: SumRow) => string,
): Pick<Finding, 'rows' | 'command'> {
  const sorted = rows
    .map((row) => ({
      is: 'session' as const,
      id: dimension(row, 'session'),
      nanoUsd: amountOf(row, measure),
      text: textOf(row),
    }))
    .toSorted(byAmount);
  return { rows: sorted, command: ['sessions', 'show', sorted[0]?.id ?? ''] };
}

function sumOf(rows: readonly SumRow[], measure: string): bigint {
  return rows.reduce((sum, row) => sum + amountOf(row, measure), 0n);
}

function sessionsOf(rows: readonly SumRow[]): number {
  return new Set(rows.map((row) => dimension(row, 'session'))).size;
}
