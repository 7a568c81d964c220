/** Every projection there is. The one line of registration that a new one needs. */
import { compactions } from './compactions.ts';
import { context } from './context.ts';
import { producers } from './producers.ts';
import type { Projection } from './projection.ts';
import type { FoldRules } from './rules.ts';
import { createSessions } from './sessions.ts';

/**
 * `rules` change what the views say, not what there is: names, columns and rollups are the same
 * with any.
 */
export function createProjections(rules: FoldRules): readonly Projection[] {
  return [createSessions(rules), producers, context, compactions];
}
