/**
 * The tokens of a context over its turns, as a text chart: up to four columns per turn, or one
 * column for the highest of several turns if there are too many; a dashed line where the host
 * compacts; a mark under each compaction. Pure.
 */

import { grouped } from '@pi-ledger/contract/amounts';
import type { ContextPoint } from '@pi-ledger/contract/answers';

const rows = 8;
const columnsPerTurnMax = 4;
const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const line = '╌';
/** A much higher threshold would flatten the chart, so only the text mentions it. */
const headroomMax = 3;

/** `width`: columns in all. No lines without a figure. */
export function drawContext(points: readonly ContextPoint[], width: number): string[] {
  const highest = Math.max(0, ...points.map(({ tokens }) => tokens ?? 0));
  if (highest === 0) return [];
  const threshold =
    points.findLast((point) => point.threshold !== null)?.threshold?.thresholdTokens ?? null;
  const shownThreshold =
    threshold !== null && threshold <= highest * headroomMax ? threshold : null;
  const top = Math.max(highest, shownThreshold ?? 0);
  const labels = [top, shownThreshold ?? 0, highest].map(grouped);
  const labelWidth = Math.max(...labels.map(({ length }) => length));
  const columnsMax = Math.max(10, width - labelWidth - 3);
  const columns = columnsOf(points, columnsMax);
  const wide = Math.max(1, Math.min(columnsPerTurnMax, Math.floor(columnsMax / columns.length)));
  const lineRow = shownThreshold === null ? -1 : rowOf(shownThreshold, top);
  const label = (row: number) =>
    row === lineRow ? grouped(shownThreshold ?? 0) : row === rows - 1 ? grouped(top) : '';
  const lines: string[] = [];
  for (let row = rows - 1; row >= 0; row--) {
    const cells = columns
      .map(({ tokens }) => cellOf(tokens, row, top, row === lineRow).repeat(wide))
      .join('');
    const axis = row === lineRow ? '┤' : '│';
    lines.push(`${label(row).padStart(labelWidth)} ${axis}${cells}`.trimEnd());
  }
  lines.push(`${'0'.padStart(labelWidth)} └${'─'.repeat(columns.length * wide)}`);
  const indent = ' '.repeat(labelWidth + 2);
  const marks = columns.map(({ mark }) => mark.padEnd(wide)).join('');
  if (marks.trim() !== '') lines.push(`${indent}${marks}`.trimEnd());
  return [...lines, `${indent}${captionOf(points, shownThreshold)}`];
}

interface Drawn {
  tokens: number | null;
  mark: ' ' | '▲' | '△';
}

function columnsOf(points: readonly ContextPoint[], columnsMax: number): readonly Drawn[] {
  const turns = Math.max(1, points.at(-1)?.turn ?? 1);
  const count = Math.min(turns, columnsMax);
  const columns = Array.from({ length: count }, (): Drawn => ({ tokens: null, mark: ' ' }));
  for (const { kind, turn, tokens } of points) {
    const column =
      columns[Math.min(count - 1, Math.floor((Math.max(0, turn - 1) * count) / turns))];
    if (column === undefined) continue;
    if (kind === 'turn') column.tokens = Math.max(column.tokens ?? 0, tokens ?? 0);
    else if (kind === 'compaction') column.mark = '▲';
    else if (column.mark === ' ') column.mark = '△';
  }
  return columns;
}

function rowOf(tokens: number, top: number): number {
  return Math.min(rows - 1, Math.max(0, Math.ceil((tokens / top) * rows) - 1));
}

/** Any tokens show, however few. */
function cellOf(tokens: number | null, row: number, top: number, isLine: boolean): string {
  const filled =
    tokens === null || tokens === 0 ? 0 : Math.max(1, Math.round((tokens / top) * rows * 8));
  const here = Math.min(8, Math.max(0, filled - row * 8));
  return here === 0 && isLine ? line : (eighths[here] ?? ' ');
}

function captionOf(points: readonly ContextPoint[], threshold: number | null): string {
  const turns = points.at(-1)?.turn ?? 0;
  const marks = [
    ...(points.some(({ kind }) => kind === 'compaction') ? ['▲ compaction'] : []),
    ...(points.some(({ kind }) => kind === 'branchSummary') ? ['△ branch summary'] : []),
    ...(threshold === null ? [] : [`${line}${line} the host compacts`]),
  ];
  return [`tokens sent, turn 1 to ${grouped(turns)}`, ...marks].join('   ');
}
