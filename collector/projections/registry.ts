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
import { createVerified } from './verified.ts';

/** Those that only some settings need: they cost as much as what they are a second fold of. */
export interface Wanted {
  /** A budget counts verified senders only. */
  readonly verified: boolean;
}

/** `rules` change what the views say, not their shape: names, columns and rollups stay the same. */
export function createProjections(
  rules: FoldRules,
  { verified }: Wanted = { verified: false },
): readonly Projection[] {
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
    ...(verified ? [createVerified(rules)] : []),
  ];
}
