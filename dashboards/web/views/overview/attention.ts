/** What needs attention: in which order, and where its rows are. */
import type { Insight } from '@pi-ledger/contract/answers';
import { billings } from '../../../../contract/answers/billings.ts';
import type { Parameters } from '../../state/place.ts';
import type { ViewName } from '../names.ts';

export interface InsightGroup {
  /** It is null where no amount is known. Amounts of two billings are in two groups. */
  readonly billing: Insight['billing'] | null;
  readonly rows: readonly Insight[];
}

/** By billing, each by amount as the API has them; those of which no amount is known come last. */
export function groupsOf(rows: readonly Insight[]): readonly InsightGroup[] {
  const known = billings.map((billing) => ({
    billing,
    rows: rows.filter((row) => row.billing === billing && row.nanoUsd !== null),
  }));
  const unknown = { billing: null, rows: rows.filter(({ nanoUsd }) => nanoUsd === null) };
  return [...known, unknown].filter((group) => group.rows.length > 0);
}

export interface RowPlace {
  readonly view: ViewName;
  readonly id: string | null;
  readonly parameters: Parameters;
}

export interface RowsLink extends RowPlace {
  readonly words: string;
}

type Row = Insight['rows'][number];

const words: Readonly<Record<Row['is'], readonly [one: string, many: string]>> = {
  session: ['Session', 'sessions'],
  compaction: ['Compaction', 'compactions'],
  project: ['Project', 'projects'],
  model: ['Model', 'models'],
  user: ['Person', 'people'],
  entry: ['Result', 'results'],
  branch: ['Branch', 'branches'],
};

/** To the one row that was counted, or to exactly those that were. Returns null where none was. */
export function linkOf({ id, rows, rowsInAll }: Insight): RowsLink | null {
  const [first] = rows;
  if (first === undefined) return null;
  const [one, many] = words[first.is];
  const only = rowsInAll === 1 ? placeOfRow(first) : null;
  const counted = rowsInAll === 1 ? one : `${rowsInAll} ${many}`;
  return { ...(only ?? { view: 'insights', id, parameters: {} }), words: counted };
}

/** Returns null for a row that no view has. */
export function placeOfRow({ is, id, session }: Row): RowPlace | null {
  switch (is) {
    case 'session':
      return { view: 'sessions', id, parameters: {} };
    case 'project':
      return { view: 'projects', id, parameters: {} };
    case 'compaction':
      return { view: 'compactions', id: null, parameters: { show: id } };
    case 'model':
      return { view: 'models', id: null, parameters: { model: id } };
    case 'user':
      return { view: 'overview', id: null, parameters: { user: id } };
    case 'entry':
      return session === undefined ? null : { view: 'sessions', id: session, parameters: {} };
    case 'branch':
      return null;
  }
}
