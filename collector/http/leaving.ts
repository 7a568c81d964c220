/** Whether whoever asked is still there. */
import { setImmediate } from 'node:timers/promises';

/** It is a connection. What is asked from within (`inject`) has none, and nobody could leave. */
export interface Door {
  readonly destroyed?: boolean;
  readonly writableEnded?: boolean;
}

/**
 * Lets the event loop go round first, so that what sockets have to tell is known: a store in this
 * process may let nobody else in between one answer and the next. Others get their turn, too.
 */
export async function hasLeft(door: Door): Promise<boolean> {
  if (door.destroyed === undefined) return false;
  // The first one may come before sockets are read.
  await setImmediate();
  await setImmediate();
  // Node ends its side as soon as the other side has ended; it closes the connection later.
  return door.destroyed || door.writableEnded === true;
}
