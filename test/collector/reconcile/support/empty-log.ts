/** A log without events; tests set what they are about. */
import type { LogFacts } from '../../../../collector/reconcile/log-facts.ts';

export const emptyLog: LogFacts = {
  sessions: new Map(),
  moved: new Set(),
  unsureUnpriced: new Set(),
  accountedByChild: new Map(),
  withdrawn: { has: () => false, countOf: () => 0, spentBy: () => [] },
  isStarted: () => false,
  events: () => 0,
  lastPosition: () => 0,
  positions: { missing: 0, firstMissing: null },
  unpaired: async () => [],
  readOn: async () => false,
  async *rows() {
    yield* [];
  },
  async *unitsOf() {
    yield* [];
  },
};
