/**
 * Frees what long lines have left behind: their bytes and text lie outside the engine's heap, which lets tens of megabytes of that gather
 * before it looks for garbage, however small the heap's own limit is.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Shorter lines leave nothing that matters. */
const longLineBytes = 512 * 1024;
const bytesBetween = 4 * 1024 * 1024;

/** Answers what is to be told of each line that was read. Of this thread; a collection takes some milliseconds. */
export function createGarbageCollector(): (lineBytes: number) => void {
  let gathered = 0;
  let collect: (() => void) | null = null;
  return (lineBytes) => {
    if (lineBytes < longLineBytes) return;
    gathered += lineBytes;
    if (gathered < bytesBetween) return;
    gathered = 0;
    collect ??= exposed();
    collect();
  };
}

/** The engine has it under this name once it was asked to, in contexts that are made from then on. */
function exposed(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
