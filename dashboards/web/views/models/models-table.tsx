import type { ModelFigures, ModelRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { modelTable } from '../../../../contract/answers/models/columns.ts';
import { formatCount } from '../../format/count.ts';
import { pageColumns } from '../../parts/answer-columns.tsx';
import { Link } from '../../parts/link.tsx';
import { None } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';
import type { LatencyScale, Timed } from './latency.ts';
import { LatencyRange } from './latency-range.tsx';

type Named = Pick<ModelRow, 'provider' | 'model'>;

export const keyOfModel = ({ provider, model }: Named): string => JSON.stringify([provider, model]);

/** Names lead to what was spent on them. */
export const nameCells = {
  model: {
    cell: ({ model }: Named): JSX.Element => (
      <Link view="overview" class="name" parameters={{ model: model ?? '' }}>
        <Name of={model} />
      </Link>
    ),
  },
  provider: {
    cell: ({ provider }: Named): JSX.Element => (
      <span class="quiet">
        <Name of={provider} />
      </span>
    ),
  },
};

export function modelColumns(
  rows: readonly ModelRow[],
  total: ModelFigures,
  scale: LatencyScale,
  isCounting: boolean,
): readonly Column<ModelRow>[] {
  const cells = { ...nameCells, range: rangeCell(scale) };
  return pageColumns(modelTable, { rows, total, isCounting, cells });
}

/** How long half of them took, the range to 95 of 100, and where that ends. */
export function rangeCell(scale: LatencyScale) {
  return {
    head: <span class="unseen">p50 to p95</span>,
    cell: (row: Timed) => <LatencyRange of={row} scale={scale} />,
    sortBy: ({ durationP50 }: Timed) => durationP50?.ms ?? null,
    isDrawn: true,
  };
}

/** How often answers failed, with which statuses, and what the host did about it. */
export function errorColumns(rows: readonly ModelRow[]): readonly Column<ModelRow>[] {
  const cells = {
    model: nameCells.model,
    statuses: statusCell(({ failedAnswers }) => failedAnswers),
    httpErrors: statusCell(({ errorResponses }) => errorResponses),
  };
  return pageColumns(modelTable, { in: 'errors', rows, cells });
}

const statusesMax = 4;

type Counted = (status: ModelRow['statuses'][number]) => number;

/**
 * An answer fails once, with an entry in the session's file; the host may have had several
 * responses with errors for it, or for one that came in the end.
 */
function statusCell(countIn: Counted) {
  const words = (row: ModelRow) => statusWords(row, countIn);
  return { cell: (row: ModelRow) => words(row) || <None />, csv: words };
}

/** `22 with 529, 132 not told` */
function statusWords(row: ModelRow, countIn: Counted): string {
  const counted = row.statuses.filter((status) => countIn(status) > 0);
  const words = counted.slice(0, statusesMax).map((each) => {
    const count = formatCount(countIn(each));
    return each.status === null ? `${count} not told` : `${count} with ${each.status}`;
  });
  const rest = counted.length - words.length;
  return [...words, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
