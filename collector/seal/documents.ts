/**
 * Folds events that are about to be deleted into documents: those of the previous seal, and the
 * events below the floor.
 *
 * Bounded in memory: keys are processed class by class, by their hash, and each class reads the
 * events and the previous seal again. Rejects when an event cannot be folded or a document cannot
 * be opened: what cannot be kept is not deleted.
 */
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LedgerError } from '../errors.ts';
import { floorId, type Seal } from '../log/history.ts';
import type { Log } from '../log/log.ts';
import type { StoredEvent } from '../log/stored-event.ts';
import { applyWithdrawals, isOfNoView } from '../log/withdrawals.ts';
import { type Projection, UnfoldableError } from '../projections/projection.ts';
import { readSealed, type SealedEntry } from './content.ts';

export interface DocumentsOptions {
  readonly log: Log;
  /** The projections without users' rules. */
  readonly projections: readonly Projection[];
  readonly before: Seal | null;
  readonly floorMs: number;
  /** Folds only events before this position. */
  readonly first: number;
  readonly classes: number;
}

type SealedDocument = Extract<SealedEntry, { is: 'document' }>;

const eventsPerRead = 1_000;
/** Characters of their texts. */
const charsPerRead = 8 * 1024 * 1024;

export async function* sealedDocuments(options: DocumentsOptions): AsyncGenerator<SealedDocument> {
  for (let number = 0; number < options.classes; number++) {
    const isOfClass = (key: string): boolean =>
      options.classes === 1 || keyClass(key, options.classes) === number;
    const folds = options.projections.map((projection) => createFold(projection, isOfClass));
    if (options.before !== null) {
      await readSealed(options.log, options.before, (entry) => {
        if (entry.is === 'document')
          folds.find(({ name }) => name === entry.projection)?.take(entry);
      });
    }
    await foldEvents(options, folds);
    for (const fold of folds) yield* fold.documents();
  }
}

/** Events that the previous seal covers may still be there: they are in its documents. */
async function foldEvents(
  { log, before, floorMs, first }: DocumentsOptions,
  folds: readonly Fold[],
): Promise<void> {
  const idMin = before === null ? '' : floorId(before.floorMs);
  const isSealed = ({ position, event }: StoredEvent): boolean =>
    before !== null && position < before.first && event.id < idMin;
  const withdrawals = await log.withdrawals();
  for (let after = ''; ; ) {
    const events = await log.history.below(floorMs, first, after, eventsPerRead, charsPerRead);
    for (const stored of applyWithdrawals(events, withdrawals))
      if (!isSealed(stored) && !isOfNoView(stored.event))
        for (const fold of folds) fold.evolve(stored);
    after = events.at(-1)?.event.id ?? after;
    if (events.length === 0) return;
    await nextTurn();
  }
}

type Fold = ReturnType<typeof createFold>;

function createFold(projection: Projection, isOfClass: (key: string) => boolean) {
  /** The document of the previous seal, until an event changes it. */
  const untouched = new Map<string, SealedDocument>();
  const states = new Map<string, unknown>();

  function stateOf(key: string): unknown {
    const known = states.get(key);
    if (known !== undefined) return known;
    const document = untouched.get(key);
    untouched.delete(key);
    return document === undefined ? projection.initial(key) : openDocument(projection, document);
  }

  return {
    name: projection.name,
    take(document: SealedDocument): void {
      if (isOfClass(document.key)) untouched.set(document.key, document);
    },
    evolve(stored: Parameters<Projection['evolve']>[1]): void {
      const key = stored.damage === undefined ? projection.key(stored) : null;
      if (key === null || !isOfClass(key)) return;
      const state = stateOf(key);
      states.set(key, state);
      try {
        states.set(key, projection.evolve(state, stored, ignore));
      } catch (error) {
        // The live view has set this event aside too: it is in no sum that must stay.
        if (!(error instanceof UnfoldableError)) throw error;
      }
    },
    *documents(): Generator<SealedDocument> {
      yield* untouched.values();
      const { name, version } = projection;
      for (const [key, state] of states) {
        yield { is: 'document', projection: name, version, key, body: projection.encode(state) };
      }
    },
  };
}

/** Throws `sealed_by_another_version`. */
export function openDocument(projection: Projection, { body, version }: SealedDocument): unknown {
  const state = projection.sealing?.open(body, version) ?? null;
  if (state !== null) return state;
  const message =
    `The documents of deleted history were written by version ${version} of the view ` +
    `${projection.name}, which this program (version ${projection.version}) cannot read. ` +
    'The existing view stays as it is.';
  throw new LedgerError('sealed_by_another_version', { message });
}

function keyClass(key: string, classes: number): number {
  return hash('sha256', key, 'buffer').readUInt32BE(0) % classes;
}

const ignore = (): void => undefined;
