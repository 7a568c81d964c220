/**
 * Calls a projection such that no event can stop it: an event that cannot be folded becomes an
 * `UnfoldableError`, and the document stays as it was.
 *
 * A projection rejects an event before it changes anything (`UnfoldableError`), which costs
 * nothing. Anything else that is thrown is a bug, or comes from a document that cannot be written.
 * Its key is then suspect: folded again from the last commit, with a copy of the document before
 * each event.
 */
import type { StoredEvent } from '../log/stored-event.ts';
import { isOfNoView } from '../log/withdrawals.ts';
import { type Emit, type Projection, UnfoldableError } from '../projections/projection.ts';
import type { ViewDocument } from '../views/views.ts';

/** What every store can hold: MongoDB's limit for a document, less the fields beside the body. */
export const documentBytesMax = 16_000_000;
/** With more suspect keys, every key is treated as suspect. */
const suspectsMax = 1_000;

export interface Guard {
  keyOf(stored: StoredEvent): string | null | Error;
  /**
   * The new state. Throws an `UnfoldableError` and leaves `entry.state` equal to the state before,
   * or throws something else: then the caller makes the key suspect.
   */
  evolve(entry: { readonly key: string; state: unknown }, stored: StoredEvent, emit: Emit): unknown;
  /** Throws when the document cannot be written. */
  documentOf(key: string, state: unknown): ViewDocument;
  suspect(key: string): void;
}

export function createGuard(projection: Projection): Guard {
  const suspects = new Set<string>();

  function documentOf(key: string, state: unknown): ViewDocument {
    const document = { key, columns: projection.columnsOf(state), body: projection.encode(state) };
    if (isTooLarge(document.body))
      throw new Error(`The document would have more than ${documentBytesMax} bytes.`);
    return document;
  }

  /** What it emits counts only if the document can be written. */
  function evolveCarefully(
    entry: { readonly key: string; state: unknown },
    stored: StoredEvent,
    emit: Emit,
  ): unknown {
    const before = projection.encode(entry.state);
    const emitted: (() => void)[] = [];
    const emitLater: Emit = (rollup, key, measures) => {
      const kept = measures.slice();
      emitted.push(() => emit(rollup, key, kept));
    };
    try {
      const state = projection.evolve(entry.state, stored, emitLater);
      documentOf(entry.key, state);
      for (const emitOne of emitted) emitOne();
      return state;
    } catch (cause) {
      entry.state = projection.decode(before);
      throw new UnfoldableError('It cannot be folded.', { cause });
    }
  }

  return {
    keyOf(stored) {
      if (stored.damage !== undefined) return new Error(stored.damage);
      if (isOfNoView(stored.event)) return null;
      try {
        return projection.key(stored);
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      }
    },
    evolve(entry, stored, emit) {
      if (suspects.size > 0 && (suspects.has(entry.key) || suspects.size >= suspectsMax))
        return evolveCarefully(entry, stored, emit);
      return projection.evolve(entry.state, stored, emit);
    },
    documentOf,
    suspect: (key) => void suspects.add(key),
  };
}

function isTooLarge(body: string): boolean {
  // A UTF-16 unit takes at most 3 bytes in UTF-8, so most documents need no counting.
  return body.length * 3 > documentBytesMax && Buffer.byteLength(body) > documentBytesMax;
}
