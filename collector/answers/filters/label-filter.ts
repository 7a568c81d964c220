/** Labels as filters: a rollup holds all labels of a record in one text. */
import { readLabelWords } from '@pi-ledger/contract/settings/labels';
import { LedgerError } from '../../errors.ts';
import { labelsIn } from '../../projections/session/notes/label-text.ts';
import { usage } from '../../projections/usage.ts';
import { inTurns } from '../../timers/in-turns.ts';
import type { Condition } from '../../views/views.ts';
import type { UsageViews } from '../views/usage-views.ts';
import type { UsageFilters } from './filters.ts';

/** Throws `bad_parameter` for what is no label. `where`: the other conditions. */
export async function labelConditions(
  { views, sessions }: UsageViews,
  { label = [] }: UsageFilters,
  where: readonly Condition[],
): Promise<readonly Condition[]> {
  if (label.length === 0) return [];
  const wanted = Map.groupBy(label.map(expectLabel), ({ key }) => key);
  const rows = await views.tally(sessions, usage, { by: ['labels'], of: 'labels', where });
  const fitting: string[] = [];
  await inTurns(rows, ({ dimensions: { labels: text = '' } }) => {
    const labels = labelsIn(text);
    const fits = [...wanted].every(([key, any]) =>
      any.some(({ value }) => value === (labels.get(key) ?? null)),
    );
    if (fits) fitting.push(text);
  });
  return [{ column: 'labels', is: 'in', values: fitting.length === 0 ? [noText] : fitting }];
}

/** Sessions that have records with these labels; null: no label is asked for. */
export async function labelledSessions(
  { views, sessions }: UsageViews,
  { label = [] }: UsageFilters,
): Promise<ReadonlySet<string> | null> {
  if (label.length === 0) return null;
  const where = await labelConditions({ views, sessions }, { label }, []);
  const rows = await views.tally(sessions, usage, { by: ['session'], of: 'session', where });
  return new Set(rows.map(({ dimensions }) => dimensions.session ?? ''));
}

/** Labels are JSON, or an empty text. */
const noText = 'none';

function expectLabel(text: string): { readonly key: string; readonly value: string | null } {
  const read = readLabelWords([text]);
  const [label] = typeof read === 'string' ? [] : Object.entries(read);
  if (typeof read !== 'string' && label !== undefined) return { key: label[0], value: label[1] };
  throw new LedgerError('bad_parameter', { field: 'label', message: `label: ${String(read)}.` });
}
