/**
 * Asks a projection such that no event can stop it: what cannot be folded becomes an
 * `UnfoldableError`, with the document as it was before.
 *
 * A projection says of itself what it cannot take, before it changes anything (`UnfoldableError`),
 * and that costs nothing. What else is thrown comes from a bug, or from a document that cannot be
 * written; its key is then suspect: folded again from the last commit, with a copy of the document
 * before each event.
 */
import type { StoredEvent } from '../log/stored-event.ts';
import { type Emit, type Projection, UnfoldableError } from '../projections/projection.ts';
import type { ViewDocument } from '../views/views.ts';

/** What every store can hold: MongoDB's bound for a document, less what stands beside the body. */
export const documentBytesMax = 16_000_000;
/** Of suspect documents, by key. With more, all are. */
const suspectsMax = 1_000;

export interface Guard {
  keyOf(stored: StoredEvent): string | null | Error;
  /**
   * The new state. Throws an `UnfoldableError` and leaves `entry.state` a state as before, or
   * throws whatever: then the key is to be made suspect.
   */
  evolve(entry: { readonly key: string; state: unknown }, stored: StoredEvent, emit: Emit): unknown;
  /** Throws when there is no such document. */
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

  /** What it emits counts only if it comes to a document. */
  function evolveCarefully(
    entry: { readonly key: string; state: unknown },
    stored: StoredEvent,
    emit: Emit,
  ): unknown {
    const before = projection.encode(entry.state);
    const emitted: Parameters<Emit>[] = [];
    const emitLater: Emit = (rollup, dimensions, measures) =>
      emitted.push([rollup, dimensions, measures.slice()]);
    try {
      const state = projection.evolve(entry.state, stored, emitLater);
      documentOf(entry.key, state);
      for (const each of emitted) emit(...each);
      return state;
    } catch (cause) {
      entry.state = projection.decode(before);
      throw new UnfoldableError('It cannot be folded.', { cause });
    }
  }

  return {
    keyOf(stored) {
      if (stored.damage !== undefined) return new Error(stored.damage);
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
  // A UTF-16 unit takes at most 3 bytes in UTF-8: most documents need no counting.
  return body.length * 3 > documentBytesMax && Buffer.byteLength(body) > documentBytesMax;
}
