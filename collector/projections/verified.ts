/**
 * The projection `verified_sessions`: what arrived with a token, as if nothing else had. Budgets
 * that count verified senders only (`verifiedOnly`) are measured by its rollup `verified_usage`;
 * nothing else reads it, and it is folded only where such a budget is.
 *
 * A document is of one session and one token, and events without a token have none. So nobody moves
 * what another one sent: not by spend, attributions, labels, claims or subagents' records that name
 * the same session. Nor does the collector move an entry to a better owner here, since such a move
 * follows from what others claim: a record stays in the session that it first arrived in.
 *
 * Guarantees: as for `sessions`, whose fold it is.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { SpendDimension } from '@pi-ledger/contract/spend-shape';
import type { Emit, Projection, Rollup } from './projection.ts';
import type { FoldRules } from './rules.ts';
import type { SessionState } from './session/document.ts';
import { createSessions } from './sessions.ts';
import { usage } from './usage.ts';

/** Its `session` is a document's key, as `usage` has it. */
export const verifiedUsage: Rollup<SpendDimension> = {
  ...usage,
  name: 'verified_usage',
  indexes: [['day']],
  coarser: [],
};

/** Throws as `createSessions` does. */
export function createVerified(rules: FoldRules): Projection<SessionState> {
  const { sealing, ...sessions } = createSessions(rules);
  return {
    ...sessions,
    name: 'verified_sessions',
    rollups: [verifiedUsage],
    // Documents are found by their keys alone.
    columns: {},
    indexes: [],
    columnsOf: () => ({}),
    key({ event }) {
      const { authenticatedtoken: token, subject, type } = event;
      if (token === undefined || notSent.has(type)) return null;
      return `${token.length} ${token} ${subject}`.toWellFormed();
    },
    evolve: (state, stored, emit) => sessions.evolve(state, stored, verified(emit)),
    ...(sealing && {
      sealing: {
        open: sealing.open,
        emit: (state, emit) => sealing.emit(state, verified(emit)),
        cumulative: [],
      },
    }),
  };
}

/** Nobody sends these with a token, or they follow from what somebody else sends. */
const notSent: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'pi.entry.moved.v1',
  'pi.records.labelled.v1',
  'pi.producer.reported.v1',
]);

/** Other rollups than `usage` are not kept. */
function verified(emit: Emit): Emit {
  return (rollup, key, measures) => {
    // Its dimensions are those of `usage`, so the key is one of its rows.
    if (rollup.name === usage.name) emit(verifiedUsage, key as never, measures);
  };
}
