/**
 * Frees what reading has left behind. Bytes and text of long lines lie outside the engine's heap,
 * which lets tens of megabytes of that gather before it looks for garbage, however small the heap's
 * own limit is.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Leavings {
  /** Less leaves nothing that matters. */
  readonly bytesMin: number;
  readonly bytesBetween: number;
}

/** Of lines that are read. */
export const longLines: Leavings = { bytesMin: 512 * 1024, bytesBetween: 4 * 1024 * 1024 };
/**
 * Of batches that are taken in: on a large machine the engine would let a hundred megabytes of them
 * gather.
 */
export const takenBatches: Leavings = { bytesMin: 0, bytesBetween: 24 * 1024 * 1024 };

/**
 * Answers what is to be told of each line or batch, in bytes. Of this thread; a collection takes
 * some milliseconds. `expose` gives what collects, when it is needed.
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

/**
 * The engine has it under this name once it was asked to, in contexts that are made from then on.
 */
function exposed(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
