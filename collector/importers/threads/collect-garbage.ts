/**
 * Frees what reading leaves behind. Bytes and texts of long lines lie outside the engine's heap,
 * and the engine lets tens of megabytes of them accumulate before collecting, however small the
 * heap's own limit is.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Leavings {
  /** Smaller items leave nothing that matters. */
  readonly bytesMin: number;
  readonly bytesBetween: number;
}

/** For lines that are read. */
export const longLines: Leavings = { bytesMin: 512 * 1024, bytesBetween: 4 * 1024 * 1024 };
/**
 * For accepted batches: on a large machine, the engine would let a hundred megabytes of them
 * accumulate.
 */
export const takenBatches: Leavings = { bytesMin: 0, bytesBetween: 24 * 1024 * 1024 };

/**
 * Returns a function to call with the bytes of each line or batch. Collects in this thread, which
 * takes some milliseconds. `expose` provides the collecting function when it is needed.
 */
export function createGarbageCollector(
  { bytesMin, bytesBetween }: Leavings,
  expose = exposed,
): (bytes: number) => void {
  let gathered = 0;
  let collect: (() => void) | null = null;
  return (bytes) => {
    if (bytes < bytesMin) return;
    gathered += bytes;
    if (gathered < bytesBetween) return;
    gathered = 0;
    collect ??= expose();
    collect();
  };
}

/** With this flag, the engine provides `gc` in new contexts. */
function exposed(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
