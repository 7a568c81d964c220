/**
 * Errands: what only the leader of a cell may do, asked for by any worker. An errand lies among the
 * cell's checkpoints, where its leader looks for it and leaves the answer.
 *
 * Contract: `ask` resolves with what the work returned, or rejects with the code and the message of
 * its error. It rejects with `store_locked` when nobody has taken the errand for `takenMsMax`; it
 * is then never done. When its leader dies or hands the cell on, the next one begins it again, so
 * works have to bear that.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodes } from '@pi-ledger/contract/answers';
import { errorText } from '@pi-ledger/core/text/error-text';
import { LedgerError } from '../errors.ts';
import type { Checkpoint } from '../log/checkpoints.ts';
import type { LeaderTask } from '../roles/leadership.ts';
import type { Store } from '../stores/store.ts';
import { repeatEvery } from '../timers/repeat.ts';

/** By kind. Arguments and results are JSON. */
type Works = Readonly<Record<string, (argument: never) => Promise<unknown>>>;

export interface Errands<Of extends Works> {
  ask<Kind extends keyof Of & string>(
    kind: Kind,
    argument: Parameters<Of[Kind]>[0],
  ): ReturnType<Of[Kind]>;
  /** Does what is asked for, while this process leads. */
  readonly task: LeaderTask;
}

export interface ErrandsOptions<Of extends Works> {
  readonly cell: number;
  readonly store: Pick<Store, 'checkpoints' | 'right'>;
  readonly works: Of;
  readonly takenMsMax?: number;
  onError(error: unknown): void;
}

/** Positions of an errand's checkpoint, which tell how far it is. */
const [waiting, taken, done, withdrawn] = [0, 1, 2, 3];
const prefix = 'errand/';
const lookEveryMs = 1_000;
const askEveryMs = 200;
/** A dead leader's lease ends before. */
const takenMsMaxDefault = 30_000;
/** Whoever asked has died. */
const forgottenAfterLooks = 300;

export function createErrands<Of extends Works>(options: ErrandsOptions<Of>): Errands<Of> {
  const { cell, store, takenMsMax = takenMsMaxDefault } = options;
  const { checkpoints } = store;
  const taking = createTaking(options);

  async function ask(kind: string, argument: unknown): Promise<unknown> {
    const name = `${prefix}${randomUUID()}`;
    await checkpoints.move(name, null, waiting, JSON.stringify({ kind, argument }));
    taking.look();
    const askedAtMs = performance.now();
    for (;;) {
      const found = await checkpoints.read(name);
      if (found === null) throw new Error(`What was asked of cell ${cell} is gone from its store.`);
      if (found.position === done) {
        await checkpoints.drop(name);
        return resultOf(found);
      }
      const isLate = performance.now() - askedAtMs > takenMsMax;
      if (isLate && (await checkpoints.move(name, waiting, withdrawn)) === 'moved') {
        await checkpoints.drop(name);
        throw new LedgerError('store_locked', {
          message: `No worker leads cell ${cell} at the moment: try again later.`,
        });
      }
      await sleep(askEveryMs, undefined, { ref: false });
    }
  }

  return { ask: ask as Errands<Of>['ask'], task: taking.task };
}

interface Taking {
  /** At once, if this process leads. */
  look(): void;
  readonly task: LeaderTask;
}

function createTaking<Of extends Works>(options: ErrandsOptions<Of>): Taking {
  const { store, onError } = options;
  /** By this process, and not to be begun again by it. */
  const begun = new Set<string>();
  const forgottenIn = new Map<string, number>();
  let term: Term | null = null;

  async function look(during: Term): Promise<void> {
    for (const errand of await store.checkpoints.list()) {
      if (!errand.name.startsWith(prefix)) continue;
      const isOpen = errand.position === waiting || errand.position === taken;
      if (!isOpen) await forget(errand);
      else if (!begun.has(errand.name)) begin(errand, during);
    }
  }

  function begin(errand: Checkpoint, during: Term): void {
    const { name } = errand;
    begun.add(name);
    perform(errand, during, options).then(
      (isSettled) => {
        if (!isSettled) begun.delete(name);
      },
      (error) => {
        begun.delete(name);
        onError(error);
      },
    );
  }

  async function forget({ name }: Checkpoint): Promise<void> {
    const looksLeft = forgottenIn.get(name) ?? forgottenAfterLooks;
    forgottenIn.set(name, looksLeft - 1);
    if (looksLeft > 0) return;
    forgottenIn.delete(name);
    await store.checkpoints.drop(name);
  }

  return {
    look() {
      if (term !== null) look(term).catch(onError);
    },
    task: {
      name: 'doing what other workers ask for',
      start() {
        const during: Term = { isOver: false, looking: null };
        during.looking = repeatEvery(lookEveryMs, () => look(during), onError);
        term = during;
      },
      /** What is under way ends with the tasks whose work it is. */
      async stop() {
        const ended = term;
        term = null;
        if (ended === null) return;
        ended.isOver = true;
        await ended.looking?.stop();
      },
    },
  };
}

/** A term is the time for which this process leads. */
interface Term {
  isOver: boolean;
  looking: { stop(): Promise<void> } | null;
}

/**
 * False: not answered, since an answer after the term is not its to give. The next leader begins
 * again.
 */
async function perform<Of extends Works>(
  { name, position, state }: Checkpoint,
  during: Term,
  { store: { checkpoints, right }, works }: ErrandsOptions<Of>,
): Promise<boolean> {
  if (position === waiting && (await checkpoints.move(name, waiting, taken)) === 'stale')
    return true;
  const { kind, argument } = JSON.parse(state ?? '{}');
  const outcome = await outcomeOf(works[kind], argument);
  if (during.isOver || !right.isHeld()) return false;
  await checkpoints.move(name, taken, done, JSON.stringify(outcome));
  return true;
}

type Outcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };

async function outcomeOf(work: Works[string] | undefined, argument: unknown): Promise<Outcome> {
  try {
    if (work === undefined) throw new Error('This worker is of another version.');
    return { result: (await work(argument as never)) ?? null };
  } catch (error) {
    const code = error instanceof LedgerError ? error.code : 'internal';
    return { error: { code, message: errorText(error) } };
  }
}

function resultOf({ state }: Checkpoint): unknown {
  const outcome: Outcome = JSON.parse(state ?? '{}');
  if (!('error' in outcome)) return outcome.result;
  const { code, message } = outcome.error;
  const known = errorCodes.find((each) => each === code && each !== 'internal');
  throw known === undefined ? new Error(message) : new LedgerError(known, { message });
}
