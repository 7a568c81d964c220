/** Projections under other rules, and as other versions have them. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Projection } from '../../../collector/projections/projection.ts';
import { createProjections } from '../../../collector/projections/registry.ts';
import type { FoldRules } from '../../../collector/projections/rules.ts';
import { type Contents, expectedContents } from '../../collector/subscription/ledger.ts';

export const rulesBefore: FoldRules = {
  projects: [
    { match: 'project 1', as: 'one' },
    { match: 'project 2', ignore: true },
  ],
  billing: { openai: 'metered' },
  labels: [],
};
export const rulesAfter: FoldRules = {
  projects: [
    { match: 'project 1', ignore: true },
    { match: 'project 3', as: 'three' },
  ],
  billing: {},
  labels: [],
};

export function foldedUnder(rules: FoldRules, events: readonly LedgerEvent[]): Contents {
  return expectedContents(events, createProjections(rules)[0]);
}

/** As a program that had no counters in this view. */
export function withoutCounters(projection: Projection): Projection {
  const { sealing } = projection;
  if (sealing === undefined) throw new Error(`${projection.name} cannot be sealed.`);
  return {
    ...projection,
    version: projection.version - 1,
    rollups: projection.rollups.filter((rollup) => !sealing.cumulative.includes(rollup)),
    evolve: (state, stored, emit) =>
      projection.evolve(state, stored, (rollup, dimensions, measures) => {
        if (!sealing.cumulative.includes(rollup)) emit(rollup, dimensions, measures);
      }),
    sealing: { ...sealing, cumulative: [] },
  };
}
