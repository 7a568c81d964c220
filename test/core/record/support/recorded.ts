import { expect } from 'vitest';
import type { EventDraft } from '../../../../core/record/draft.ts';
import { readEntry } from '../../../../core/record/entry.ts';
import type { RecordedSession } from '../../../../core/record/entry-draft.ts';
import { type PathState, rootState } from '../../../../core/record/path-state.ts';
import { recordEntry } from '../../../../core/record/record-entry.ts';
import { problemsOf } from '../../../extension/support/schemas.ts';

export const session: RecordedSession = { id: 's', cwd: '/srv/shop' };
export const timestamp = '2026-11-22T01:00:00.000Z';

/** The events of one entry, each valid by the contract and with a unique id. */
export function recorded(
  body: Record<string, unknown>,
  of: RecordedSession = session,
  above: PathState = rootState,
): readonly EventDraft[] {
  const entry = readEntry({ id: 'e1', parentId: 'e0', timestamp, ...body });
  if (entry === null) throw new Error('not an entry');
  const made = recordEntry(of, entry, above);
  expect(made.flatMap(problemsOf)).toEqual([]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
  return made;
}
