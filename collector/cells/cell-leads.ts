/**
 * Which cells of a ledger this worker leads: those of the partitions that Kafka gives it, each as
 * soon as its lease is free. The lease is the fence: a worker that was given a cell waits until the
 * one before has stopped, or its lease has ended.
 */

import { type Leadership, type LeaderTask, startLeadership } from '../roles/leadership.ts';
import type { CellStore } from '../stores/store.ts';
import { createGate } from './gate.ts';

export interface LedCell {
  readonly store: Pick<CellStore, 'right' | 'release'>;
  readonly tasks: readonly LeaderTask[];
}

export interface CellLeads {
  /** Leads these cells and no others, from now on. Never throws. */
  assign(cells: readonly number[]): void;
  /**
   * Returns null while it leads the cell and its tasks run. Else the promise resolves when they do,
   * and rejects when the signal aborts, or there is no such cell.
   */
  wait(cell: number, signal: AbortSignal): Promise<void> | null;
  /** Resolves when it leads none, and nothing of them runs any more. Never rejects. */
  stop(): Promise<void>;
}

export function createCellLeads(
  cells: readonly LedCell[],
  onError: (error: unknown) => void,
): CellLeads {
  const leads = cells.map((cell) => createLead(cell, onError));

  function assign(numbers: readonly number[]): void {
    for (const [cell, lead] of leads.entries()) lead.want(numbers.includes(cell));
  }

  return {
    assign,
    wait(cell, signal) {
      const lead = leads[cell];
      if (lead === undefined) return Promise.reject(new Error(`There is no cell ${cell}.`));
      return lead.wait(signal);
    },
    async stop() {
      assign([]);
      await Promise.all(leads.map((lead) => lead.settled()));
    },
  };
}

function createLead({ store, tasks }: LedCell, onError: (error: unknown) => void) {
  const gate = createGate();
  let isWanted = false;
  let leadership: Leadership | null = null;
  /** One change after the other. */
  let changing = Promise.resolve();
  const all: readonly LeaderTask[] = [
    ...tasks,
    { name: 'letting records in', start: gate.open, stop: async () => gate.close() },
  ];

  async function begin(): Promise<void> {
    leadership = startLeadership({ right: store.right, tasks: all, onError });
  }

  async function end(): Promise<void> {
    await leadership?.stop();
    leadership = null;
    await store.release();
  }

  return {
    want(wanted: boolean): void {
      if (wanted === isWanted) return;
      isWanted = wanted;
      changing = changing.then(wanted ? begin : end);
    },
    wait: gate.wait,
    settled: () => changing,
  };
}
