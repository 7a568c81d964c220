/** The document of one session's measurements. Equal sets of events give equal text. */
import { type Amount, amountFromJson, amountToJson } from '../amount.ts';
import type { TimelineRules } from '../rules.ts';
import { compareText } from '../session/compare-text.ts';
import { makeTimeline, type Timeline } from '../session/timeline.ts';
import { decodeTimeline, encodeTimeline, type TimelineBody } from '../session/timeline-text.ts';
import {
  cellOf,
  createCells,
  lineOf,
  type TableName,
  type TimingCell,
  type TimingCellMinutes,
  type TimingCells,
  type TimingLine,
  type TimingLineName,
  type TimingTable,
  tableNames,
} from './cells.ts';
import type { RunFact } from './runs.ts';

export interface TimingsState {
  readonly id: string;
  timeline: Timeline;
  readonly cells: TimingCells;
  /** Tool results whose entries hold a duration: with any, live durations do not count. */
  timedEntries: number;
  /** The newest ones, by time. */
  readonly runs: RunFact[];
}

interface Body extends TimelineBody {
  readonly id: string;
  readonly cellMinutes: TimingCellMinutes;
  readonly tables: { readonly [Name in TableName]?: readonly BodyLine[] };
  readonly timedEntries: number;
  readonly runs: readonly RunFact[];
}

type BodyLine = readonly [name: TimingLineName, ...cells: BodyCell[]];
/** Then the index and the amount of each measure that is not zero. */
type BodyCell = readonly [minute: number, ...amounts: (number | string)[]];

export function createTimingsState(id: string, rules: TimelineRules): TimingsState {
  return {
    id,
    timeline: makeTimeline(null, [], rules),
    cells: createCells(15),
    timedEntries: 0,
    runs: [],
  };
}

export function encodeTimings({ id, timeline, cells, timedEntries, runs }: TimingsState): string {
  const tables = tableNames
    .filter((name) => cells.tables[name].lines.size > 0)
    .map((name) => [name, encodeTable(cells.tables[name])] as const);
  const body: Body = {
    id,
    ...encodeTimeline(timeline),
    cellMinutes: cells.cellMinutes,
    tables: Object.fromEntries(tables),
    timedEntries,
    runs,
  };
  return JSON.stringify(body);
}

export function decodeTimings(text: string, rules: TimelineRules): TimingsState {
  const body: Body = JSON.parse(text);
  const cells = createCells(body.cellMinutes);
  for (const name of tableNames)
    for (const line of body.tables[name] ?? []) decodeLine(cells, cells.tables[name], line);
  cells.tables.liveTools.isCounted = body.timedEntries === 0;
  return {
    id: body.id,
    timeline: decodeTimeline(body, rules),
    cells,
    timedEntries: body.timedEntries,
    runs: [...body.runs],
  };
}

function encodeTable({ lines }: TimingTable): readonly BodyLine[] {
  return [...lines]
    .sort(([left], [right]) => compareText(left, right))
    .map(([, line]) => encodeLine(line));
}

function encodeLine({ name, cells }: TimingLine): BodyLine {
  const sorted = [...cells.values()].sort((left, right) => left.minute - right.minute);
  return [name, ...sorted.map(encodeCell)];
}

function encodeCell({ minute, amounts }: TimingCell): BodyCell {
  const cell: [number, ...(number | string)[]] = [minute];
  for (const [index, amount] of amounts.entries())
    if (amount !== 0) cell.push(index, amountToJson(amount));
  return cell;
}

function decodeLine(cells: TimingCells, table: TimingTable, [name, ...each]: BodyLine): void {
  const line = lineOf(table, name);
  for (const [minute, ...amounts] of each)
    fillAmounts(cellOf(cells, table, line, minute).amounts, amounts);
}

function fillAmounts(into: Amount[], pairs: readonly (number | string)[]): void {
  for (let at = 0; at < pairs.length; at += 2)
    into[Number(pairs[at])] = amountFromJson(pairs[at + 1] ?? 0);
}
