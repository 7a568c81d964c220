/**
 * The subscriptions of a ledger's cells, as one: some of them fold here, the others report how far
 * another process is.
 *
 * Contract: as subscription.ts, but for what is of one log: `atBarrier` rejects, since no position
 * is of all cells. `onCommitted` tells how many events all cells together have committed, once it
 * has heard of each.
 */
import { LedgerError } from '../errors.ts';
import {
  type ProjectionState,
  type Rebuilt,
  setAsideShown,
} from '../subscription/projection-state.ts';
import type { Subscription } from '../subscription/subscription.ts';

export interface SubscribedCell {
  readonly subscription: Subscription;
  /** As `Subscription.rebuild`, wherever it is folded. */
  rebuild(projectionName: string): Promise<Rebuilt>;
  /** As `Subscription.onCommitted`, wherever it is folded. */
  follow(listener: (position: number) => void): () => void;
}

export function joinSubscriptions(cells: readonly SubscribedCell[]): Subscription {
  const all = cells.map(({ subscription }) => subscription);

  async function rebuild(name: string): Promise<Rebuilt> {
    const parts = await Promise.all(cells.map((cell) => cell.rebuild(name)));
    return {
      events: parts.reduce((sum, { events }) => sum + events, 0),
      durationMs: Math.max(...parts.map(({ durationMs }) => durationMs)),
    };
  }

  return {
    async catchUp() {
      await Promise.all(all.map((each) => each.catchUp()));
    },
    wake() {
      for (const each of all) each.wake();
    },
    rebuild,
    atBarrier: () => Promise.reject(new LedgerError('store_locked')),
    async state() {
      const states = await Promise.all(all.map((each) => each.state()));
      const names = states[0]?.map(({ projection }) => projection) ?? [];
      return names.map((name) =>
        joinStates(
          name,
          states.flatMap((own) => own.filter(({ projection }) => projection === name)),
        ),
      );
    },
    onCommitted: (listener) => followAll(cells, (positions) => listener(addUp(positions))),
    failure: () => all.map((each) => each.failure()).find((failure) => failure !== null) ?? null,
    async stop() {
      await Promise.all(all.map((each) => each.stop()));
    },
  };
}

/** Positions of all cells, with each change, once each is known. */
export function followAll(
  cells: readonly Pick<SubscribedCell, 'follow'>[],
  listener: (positions: readonly number[]) => void,
): () => void {
  const positions = cells.map((): number | null => null);
  const unfollow = cells.map(({ follow }, cell) =>
    follow((position) => {
      positions[cell] = position;
      const known = positions.filter((each) => each !== null);
      if (known.length === cells.length) listener(known);
    }),
  );
  return () => {
    for (const end of unfollow) end();
  };
}

function joinStates(projection: string, states: readonly ProjectionState[]): ProjectionState {
  const rebuilds = states.map(({ rebuildPosition }) => rebuildPosition);
  return {
    projection,
    position: addUp(states.map(({ position }) => position)),
    head: addUp(states.map(({ head }) => head)),
    rebuildPosition: rebuilds.every((each) => each === null)
      ? null
      : addUp(rebuilds.map((each) => each ?? 0)),
    isOutdated: states.some(({ isOutdated }) => isOutdated),
    setAside: {
      count: addUp(states.map(({ setAside }) => setAside.count)),
      events: states.flatMap(({ setAside }) => setAside.events).slice(0, setAsideShown),
    },
  };
}

function addUp(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
