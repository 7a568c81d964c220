/**
 * The projection `heads`: which commits were seen on one branch of a project on one machine (key:
 * these three), in the order of time. What was spent with a commit checked out counts to the next
 * one seen on its branch.
 *
 * Guarantees: a function of the set of events. Beyond `sightingsMax`, the newest are kept. Two
 * clones of one project on a machine, on the same branch, share a document.
 */
import { hash } from 'node:crypto';
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import type { Part, Projection } from './projection.ts';
import { createProjectNaming, type FoldRules, noRules, rulesText } from './rules.ts';
import { compareText } from './session/compare-text.ts';
import { noCommit } from './session/notes/head-at.ts';

export interface Heads {
  /** They are those of the newest sighting. */
  facts: Facts;
  /** By time, then commit; the same once. */
  sightings: readonly Sighting[];
}

/** `none`: the branch had no commit. */
type Sighting = readonly [time: string, commit: string];

type Facts = Omit<EventData<'pi.head.observed.v1'>, 'commit' | 'afterTurn'> & {
  readonly time: string;
};

const sightingsMax = 5_000;

/** Without rules. Any instance will do for querying views and reading documents. */
export const heads: Projection<Heads> = createHeads(noRules);

/** Throws when a rule's glob is invalid. */
export function createHeads(rules: FoldRules): Projection<Heads> {
  const nameOf = createProjectNaming(rules);
  return {
    name: 'heads',
    version: 1,
    settings: rulesText({ ...noRules, projects: rules.projects }),
    rollups: [],
    columns: { project: 'text', branch: 'text', machine: 'text' },
    indexes: [['branch', 'machine']],
    key: ({ event }) => (event.type === 'pi.head.observed.v1' ? headKey(event.data) : null),
    initial: () => ({ facts: noFacts, sightings: [] }),
    evolve(state, { event }) {
      if (event.type === 'pi.head.observed.v1') see(state, event);
      return state;
    },
    columnsOf: ({ facts: { project, cwd, machine } }) => ({
      project: nameOf({ name: project.name, remote: project.remote, cwd }).name.toWellFormed(),
      branch: (project.branch ?? '').toWellFormed(),
      machine: machine.toWellFormed(),
    }),
    encode: (state) => JSON.stringify(state),
    decode: (body) => JSON.parse(body),
    sealing: {
      open: (body, version) => (version === 1 ? JSON.parse(body) : null),
      emit: () => undefined,
      cumulative: [],
    },
    joining: { join, isOnePart: true },
  };
}

/**
 * The commit that followed on the branch: the first other one that was seen after this one was seen
 * last. Null: none so far; undefined: this one was never seen here.
 */
export function findSuccessor({ sightings }: Heads, commit: string): string | null | undefined {
  const last = sightings.findLastIndex(([, seen]) => seen === commit);
  return last < 0 ? undefined : (sightings[last + 1]?.[1] ?? null);
}

const noFacts: Facts = {
  time: '',
  project: { name: '', remote: null, branch: null },
  cwd: '',
  machine: '',
};

/** Hashed, because names may be longer than a store's keys. */
function headKey({ project, machine }: Pick<Facts, 'project' | 'machine'>): string {
  const parts = [machine, project.remote ?? project.name, project.branch];
  return hash('sha256', JSON.stringify(parts), 'hex');
}

function see(state: Heads, { time, data }: LedgerEvent<'pi.head.observed.v1'>): void {
  const { name, remote, branch } = data.project;
  const { cwd, machine } = data;
  const facts = { time, project: { name, remote, branch }, cwd, machine };
  if (isLater(facts, state.facts)) state.facts = facts;
  const added: Sighting = [time, data.commit ?? noCommit];
  const { sightings } = state;
  const at = sightings.findLastIndex((each) => compare(each, added) < 0) + 1;
  const next = sightings[at];
  if (next !== undefined && compare(next, added) === 0) return;
  state.sightings = sightings.toSpliced(at, 0, added).slice(-sightingsMax);
}

/** A branch on one machine is seen by sessions of several cells. */
function join(left: Part<Heads>, right: Part<Heads>): Part<Heads> {
  const [newest, other] = isLater(right.state.facts, left.state.facts)
    ? [right, left]
    : [left, right];
  const { facts, sightings } = newest.state;
  const all = [...sightings, ...other.state.sightings].toSorted(compare);
  const once = all.filter((each, at) => {
    const before = all[at - 1];
    return before === undefined || compare(before, each) !== 0;
  });
  return {
    state: { facts, sightings: once.slice(-sightingsMax) },
    columns: newest.columns,
  };
}

function isLater(one: Facts, other: Facts): boolean {
  return JSON.stringify(one) > JSON.stringify(other);
}

function compare(left: Sighting, right: Sighting): number {
  return compareText(left[0], right[0]) || compareText(left[1], right[1]);
}
