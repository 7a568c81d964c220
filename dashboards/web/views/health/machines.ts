/** Producers, a row for each process, put together by machine. */
import type { Producer } from '@pi-ledger/contract/answers';
import { median } from 'd3-array';

export interface Machine {
  readonly key: string;
  readonly name: string | null;
  /** From session files; else recorded as it happened. */
  readonly isImport: boolean;
  readonly users: readonly string[];
  /** Host and version, as its newest process says; null: not known. */
  readonly host: string | null;
  readonly lastSeenAt: string;
  /** From an event's time to its receipt, the median of its processes; null: of files. */
  readonly delayMs: number | null;
  /** How far its clock is ahead of the collector's, at least; 0: it is not. */
  readonly aheadMs: number;
  readonly processes: number;
  readonly events: number;
  readonly missing: number;
  readonly dropped: number;
}

/** Last seen first. */
export function machinesOf(rows: readonly Producer[]): readonly Machine[] {
  return [...Map.groupBy(rows, keyOf)]
    .map(([key, some]) => machineOf(key, some))
    .sort((one, other) => (one.lastSeenAt < other.lastSeenAt ? 1 : -1));
}

function keyOf({ machine, source }: Producer): string {
  return JSON.stringify([machine, isImport(source)]);
}

function isImport(source: string): boolean {
  return source.startsWith('/importers/');
}

function machineOf(key: string, rows: readonly Producer[]): Machine {
  const [first] = rows.toSorted((one, other) => (one.lastSeenAt < other.lastSeenAt ? 1 : -1));
  const isOfFiles = first !== undefined && isImport(first.source);
  return {
    key,
    name: first?.machine ?? null,
    isImport: isOfFiles,
    users: [...new Set(rows.flatMap(({ user }) => user ?? []))].sort(),
    host: hostOf(first),
    lastSeenAt: first?.lastSeenAt ?? '',
    delayMs: isOfFiles ? null : (median(rows, ({ lagMs }) => lagMs) ?? null),
    aheadMs: Math.max(0, ...rows.map(aheadMs)),
    processes: rows.length,
    events: sum(rows, ({ events }) => events),
    missing: sum(rows, ({ missing }) => missing),
    dropped: sum(rows, ({ dropped }) => sum(Object.values(dropped), (count) => count)),
  };
}

function hostOf(row: Producer | undefined): string | null {
  if (row === undefined || row.host === null) return null;
  return row.hostVersion === null ? row.host : `${row.host} ${row.hostVersion}`;
}

/** An event cannot be received before it happens. */
function aheadMs({ lastSeenAt, lastReceivedAt }: Producer): number {
  return Date.parse(lastSeenAt) - Date.parse(lastReceivedAt);
}

function sum<Row>(rows: readonly Row[], figure: (row: Row) => number): number {
  return rows.reduce((total, row) => total + figure(row), 0);
}

const clockMs = 60_000;

/** What is wrong with it, in words; empty: nothing. */
export function troublesOf({ missing, dropped, aheadMs: ahead }: Machine): readonly string[] {
  return [
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(dropped > 0 ? [`${dropped} dropped`] : []),
    ...(ahead >= clockMs ? [`clock ahead by ${Math.round(ahead / clockMs)} min`] : []),
  ];
}
