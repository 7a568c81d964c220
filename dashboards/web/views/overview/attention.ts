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

export interface RowsLink {
  readonly view: ViewName;
  readonly id: string | null;
  readonly parameters: Parameters;
  readonly words: string;
}

const views = {
  session: { view: 'sessions', one: 'Session', many: 'sessions' },
  compaction: { view: 'compactions', one: 'Compaction', many: 'compactions' },
  project: { view: 'projects', one: 'Project', many: 'projects' },
  model: { view: 'models', one: 'Models', many: 'models' },
} as const;

/** Returns null for rows that no view has; the command shows them. */
export function linkOf({ rows, rowsInAll }: Insight): RowsLink | null {
  const [first] = rows;
  if (first === undefined) return null;
  const { is, id } = first;
  if (is === 'user')
    return { view: 'overview', id: null, parameters: { by: 'user' }, words: 'People' };
  if (is === 'entry' || is === 'branch') return null;
  const { view, one, many } = views[is];
  const isOne = rowsInAll === 1;
  return {
    view,
    id: isOne && (is === 'session' || is === 'project') ? id : null,
    parameters: isOne && is === 'compaction' ? { show: id } : {},
    words: isOne ? one : `${rowsInAll} ${many}`,
  };
}
