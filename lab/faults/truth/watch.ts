/**
 * Looks at the ledger while it is harmed: what is acknowledged at one look is in the log at the
 * next that is answered, counters do not fall, memory stays below a bound.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, logAfter } from '../world/ask.ts';
import type { World } from '../world/world.ts';
import { createCounterWatch, type Totals } from './counter-watch.ts';
import { cellOfRow, createLogWatch, type LogWatch, lostOf } from './log-watch.ts';
import type { Offered } from './offered.ts';

export interface Watch {
  readonly log: LogWatch;
  /** One look; rejects if nobody answers. */
  look(): Promise<void>;
  /** Looks until `end`. */
  begin(): void;
  end(): Promise<void>;
  readonly figures: { looks: number; residentBytesMax: number; compared: number };
}

const lookEveryMs = 250;

export function createWatch(options: {
  readonly seed: number;
  readonly world: World;
  readonly offered: Offered;
  /** Reads what producers have written down. */
  listen(): void;
  /** Whether what is acknowledged is in the log at once; else it may still be on its way. */
  readonly isAckInLog: boolean;
  complain(violation: string): void;
}): Watch {
  const { seed, world, offered, listen, isAckInLog, complain } = options;
  const log = createLogWatch(seed, offered);
  const counters = createCounterWatch();
  const figures = { looks: 0, residentBytesMax: 0, compared: 0 };
  let isOver = false;
  let looking: Promise<void> = Promise.resolve();

  /** What is new in a cell. Returns the next cell that has anything. */
  async function readOn(cell: number): Promise<number | null> {
    for await (const rows of logAfter(world, log.lastOf(cell))) {
      // What arrived meanwhile was offered before, and may be read only now.
      listen();
      const own = rows.filter((row) => cellOfRow(row) === cell);
      for (const violation of log.see(own)) complain(violation);
      const next = rows[own.length];
      if (next !== undefined) return cellOfRow(next);
    }
    return null;
  }

  async function look(): Promise<void> {
    listen();
    const acknowledged = isAckInLog ? new Set(offered.acknowledged) : new Set<string>();
    for (const violation of counters.see(await ask<Totals>(world, '/v1/totals')))
      complain(violation);
    for (let cell: number | null = 0; cell !== null; ) cell = await readOn(cell);
    for (const violation of lostOf(acknowledged, log.seen)) complain(violation);
    figures.looks += 1;
    figures.compared = counters.compared();
  }

  function weigh(): void {
    for (const program of world.programs) {
      const bytes = program.residentBytes() ?? 0;
      figures.residentBytesMax = Math.max(figures.residentBytesMax, bytes);
      if (bytes > world.residentBytesMax)
        complain(`${program.name} has ${Math.round(bytes / 1e6)} MB resident`);
    }
  }

  async function run(): Promise<void> {
    while (!isOver) {
      weigh();
      // Nobody answers while it is dead, stopped or starting.
      await look().catch(() => undefined);
      await sleep(lookEveryMs);
    }
  }

  return {
    ...{ log, look, figures },
    begin() {
      looking = run();
    },
    async end() {
      isOver = true;
      await looking;
    },
  };
}
