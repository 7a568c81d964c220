/**
 * Copies a ledger into one with several cells, or with another number of them: each cell gets the
 * events of its sessions, in their order. Repeated, it resumes where it stopped and adds what is
 * new, as copy-store.ts does for each cell.
 *
 * History that is sealed was folded for its cell, and is not divided: such a ledger keeps its
 * cells.
 */
import { createHash } from 'node:crypto';
import { type CopyPhase, type CopyResult, copyStore } from '../../cli/transfer/copy-store.ts';
import { joinDamage } from '../../cli/transfer/damage-found.ts';
import type { LogFigures } from '../../cli/transfer/log-digest.ts';
import { LedgerError } from '../../errors.ts';
import type { StoreToRead } from '../../stores/driver.ts';
import type { Store } from '../../stores/store.ts';
import { logOfCell } from './log-of-cell.ts';

export interface CopyIntoCellsOptions {
  readonly from: StoreToRead;
  /** By number; this process has the right to write each. */
  readonly to: readonly Pick<Store, 'log' | 'tokens'>[];
  /** As for `copyStore`, for each cell. */
  onEvents?(phase: CopyPhase, events: number): void;
}

/** The digests are over those of the cells. Contract: as `copyStore`. */
export async function copyIntoCells(options: CopyIntoCellsOptions): Promise<CopyResult> {
  const { from, to, ...others } = options;
  await expectUnsealed(options);
  let all: Copied | null = null;
  for (const [cell, target] of to.entries()) {
    const log = logOfCell(from.log, { cell, cells: to.length });
    const result = await copyStore({ ...others, from: { ...from, log }, to: target });
    if (result.is === 'other_events') return result;
    all = all === null ? result : added(all, result);
  }
  if (all === null) throw new Error('A ledger has a cell at least.');
  return all;
}

async function expectUnsealed({ from, to }: CopyIntoCellsOptions): Promise<void> {
  const seals = await Promise.all(
    [from.log, ...to.map(({ log }) => log)].map(({ history }) => history.seal()),
  );
  if (seals.every((seal) => seal === null)) return;
  throw new LedgerError('cells_differ', {
    message: 'The ledger has sealed history, which is not divided: it keeps its number of cells.',
  });
}

type Copied = Exclude<CopyResult, { readonly is: 'other_events' }>;

function added(one: Copied, other: Copied): Copied {
  return {
    is: one.is === 'copied' && other.is === 'copied' ? 'copied' : 'differs',
    eventsBefore: one.eventsBefore + other.eventsBefore,
    source: figuresOfBoth(one.source, other.source),
    target: figuresOfBoth(one.target, other.target),
    deadLetters: {
      added: one.deadLetters.added + other.deadLetters.added,
      known: one.deadLetters.known + other.deadLetters.known,
    },
    isSealAdded: false,
    receiptsAdded: one.receiptsAdded + other.receiptsAdded,
    // Cells share them: those that one copied the next ones know.
    tokens: one.tokens,
    damaged: joinDamage(one.damaged, other.damaged),
  };
}

function figuresOfBoth(one: LogFigures, other: LogFigures): LogFigures {
  return {
    ...one,
    events: one.events + other.events,
    sha256: createHash('sha256').update(one.sha256).update(other.sha256).digest('hex'),
  };
}
