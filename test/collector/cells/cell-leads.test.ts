import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCellLeads } from '../../../collector/cells/cell-leads.ts';

const throwing = (error: unknown): never => {
  throw error;
};

/** Two workers' view of one lease, and what they did with it. */
function sharedLease() {
  const did: string[] = [];
  let holder: string | null = null;
  return {
    did,
    holder: () => holder,
    cellOf(worker: string) {
      const lost = Promise.withResolvers<void>();
      return {
        store: {
          right: {
            isHeld: () => holder === worker,
            async take() {
              holder ??= worker;
              return holder === worker;
            },
            lost: () => lost.promise,
          },
          async release() {
            if (holder === worker) holder = null;
            did.push(`${worker} released`);
          },
        },
        tasks: [
          {
            name: 'folding',
            start: () => void did.push(`${worker} began`),
            stop: async () => void did.push(`${worker} ended`),
          },
        ],
      };
    },
  };
}

it('lets records in once the cell is led, and not before', async () => {
  const lease = sharedLease();
  const leads = createCellLeads([lease.cellOf('one')], throwing);
  let isIn = false;
  const waiting = leads.wait(0, new AbortController().signal)?.then(() => {
    isIn = true;
  });
  await turn();
  expect(isIn).toBe(false);
  leads.assign([0]);
  await waiting;
  expect(leads.wait(0, new AbortController().signal)).toBeNull();
  expect(lease.did).toEqual(['one began']);
  await leads.stop();
  expect(lease.did).toEqual(['one began', 'one ended', 'one released']);
});

it('gives up the wait when the partition is taken away', async () => {
  const lease = sharedLease();
  const leads = createCellLeads([lease.cellOf('one')], throwing);
  const taken = new AbortController();
  const waiting = leads.wait(0, taken.signal);
  taken.abort(new Error('taken away'));
  await expect(waiting).rejects.toThrow('taken away');
  await leads.stop();
});

it('hands a cell over: the next worker begins when the one before has ended', async () => {
  const lease = sharedLease();
  const one = createCellLeads([lease.cellOf('one')], throwing);
  const other = createCellLeads([lease.cellOf('other')], throwing);
  const { signal } = new AbortController();
  one.assign([0]);
  await one.wait(0, signal);
  other.assign([0]);
  one.assign([]);
  await other.wait(0, signal);
  expect(lease.did).toEqual(['one began', 'one ended', 'one released', 'other began']);
  // Taken away and given back before the first change is done.
  other.assign([]);
  other.assign([0]);
  await turn();
  await other.stop();
  expect(lease.holder()).toBeNull();
  await one.stop();
});
