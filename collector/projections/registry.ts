/** All projections; a new one is registered here. */
import { budgets } from './budgets.ts';
import { compactions } from './compactions.ts';
import { context } from './context.ts';
import { createHeads } from './heads.ts';
import { producers } from './producers.ts';
import type { Projection } from './projection.ts';
import { quota } from './quota.ts';
import type { FoldRules } from './rules.ts';
import { createSessions } from './sessions.ts';
import { createTimings } from './timings.ts';
import { createUtilization } from './utilization.ts';

/** `rules` change what the views say, not their shape: names, columns and rollups stay the same. */
export function createProjections(rules: FoldRules): readonly Projection[] {
  return [
    createSessions(rules),
    producers,
    context,
    compactions,
    createTimings(rules),
    quota,
    createHeads(rules),
    createUtilization(rules),
    budgets,
  ];
}
