/** What was seen of one worker, as rows. Pure. */
import type { Row } from '../benchmark.ts';
import type { Spent } from './lone-worker.ts';

const coresMax = 0.8;

export interface Paced {
  /** Events a second. */
  readonly rate: number;
  readonly lateMsMax: number;
  /** In their order, equally far from each other. */
  readonly looks: readonly { readonly spent: Spent; readonly lag: number }[];
  /** Which of them was after the first minute. */
  readonly firstMinute: number;
}

export function drainRows(
  what: string,
  [before, after]: readonly [Spent, Spent],
  load: string,
): readonly Row[] {
  const note = `${(after.folded - before.folded).toLocaleString('en-US')} events, load ${load}`;
  return [
    {
      what: `${what}: a filled topic is drained at`,
      measured: (after.folded - before.folded) / secondsOf(before, after),
      unit: 'events/s',
      note,
    },
    ...spentRows(`${what}, drained`, before, after),
  ];
}

/**
 * Cores and costs are those from the first minute to the end. What came in the last second is under
 * way: a lag of no more than that is none.
 */
export function pacedRows(
  what: string,
  { rate, lateMsMax, looks, firstMinute }: Paced,
  note: string,
): readonly Row[] {
  const [first, last] = [looks[firstMinute], looks.at(-1)];
  if (first === undefined || last === undefined) throw new Error('It needs a minute or more.');
  const lags = looks.map(({ lag }) => lag.toLocaleString('en-US')).join(' ');
  const [worker, ...others] = spentRows(what, first.spent, last.spent);
  return [
    {
      what: `${what}: lag at the end`,
      measured: last.lag,
      unit: 'events',
      budget: { max: Math.max(first.lag, rate) },
      note:
        `after the first minute ${first.lag.toLocaleString('en-US')}, ` +
        `every ten seconds: ${lags}; sent late by ${lateMsMax.toFixed(0)} ms at most, ${note}`,
    },
    ...(worker === undefined ? [] : [{ ...worker, budget: { max: coresMax } }]),
    ...others,
    {
      what: `${what}: folded`,
      measured: (last.spent.folded - first.spent.folded) / secondsOf(first.spent, last.spent),
      unit: 'events/s',
      note: `the worker has ${(last.spent.workerBytes / 1e6).toFixed(0)} MB`,
    },
  ];
}

/** The first is the worker's cores. */
function spentRows(what: string, before: Spent, after: Spent): readonly Row[] {
  const seconds = secondsOf(before, after);
  const events = after.folded - before.folded;
  const spent = {
    worker: after.workerSeconds - before.workerSeconds,
    database: after.databaseSeconds - before.databaseSeconds,
  };
  // SQLite is a part of the worker.
  const parts = spent.database === 0 ? (['worker'] as const) : (['worker', 'database'] as const);
  const rows = parts.map((part): readonly Row[] => [
    { what: `${what}: ${part}`, measured: spent[part] / seconds, unit: 'cores' },
    {
      what: `${what}: ${part}, an event`,
      measured: (1e6 * spent[part]) / events,
      unit: 'us',
      note: 'of CPU, for each that was folded',
    },
  ]);
  return rows.flat();
}

function secondsOf(before: Spent, after: Spent): number {
  return (after.atMs - before.atMs) / 1_000;
}
