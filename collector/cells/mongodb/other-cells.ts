/**
 * Opens the other cells of a ledger of which the first is open. How many there are is said once,
 * while there are no events: they are divided by it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { LedgerError } from '../../errors.ts';
import { cellDatabase } from './cell-database.ts';

export interface OtherCellsOptions {
  readonly database: Db;
  readonly counting: Counting;
  /** As many as there are, where it is null. */
  readonly wanted: number | null;
  /** Whether this process has the first cell's lease. */
  readonly isHolder: boolean;
  /** `database`: as the cell sees it. */
  open(database: Db, cell: number): Promise<void>;
}

interface Counting {
  read(): Promise<number>;
  /** Whether nobody has said a number, and there are no events. */
  isOpen(): Promise<boolean>;
  say(cells: number): Promise<void>;
}

/** Throws `cells_differ`. */
export async function openOtherCells(options: OtherCellsOptions): Promise<void> {
  const count = await agreeOnCells(options);
  for (let cell = 1; cell < count; cell += 1)
    await options.open(cellDatabase(options.database, cell), cell);
}

/** How long a process without the lease waits for whoever creates the ledger. */
const saidMsMax = 10_000;
const lookEveryMs = 200;

/**
 * Says it where nobody has, while there are no events. Of all that come in at once, the one with
 * the first cell's lease says it; the others wait for that.
 */
async function agreeOnCells({ counting, wanted, isHolder }: OtherCellsOptions): Promise<number> {
  const isDivided = wanted !== null && wanted > 1;
  const untilMs = performance.now() + saidMsMax;
  while (isDivided && !isHolder && performance.now() < untilMs && (await counting.isOpen()))
    await sleep(lookEveryMs);
  if (isDivided && isHolder && (await counting.isOpen())) await counting.say(wanted);
  const cells = await counting.read();
  if (wanted === null || wanted === cells) return cells;
  throw new LedgerError('cells_differ', {
    message:
      `The ledger has ${cells} cells, and "cells" (PI_LEDGER_CELLS) says ${wanted}: ` +
      'leave it out, or copy the ledger to a new store with `pi-ledger copy --cells`.',
  });
}
