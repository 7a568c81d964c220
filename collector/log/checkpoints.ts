/**
 * The positions that named subscribers have reached in the log, each with a text of the
 * subscriber's own. (Views store their own checkpoints, in the transaction of what they fold.)
 *
 * Contract: `move` and `drop` are durable when they resolve, and every process that has the store
 * open sees their effect. All methods reject when the store fails; whether the change was made is
 * then unknown. Checkpoints belong to one store: a copy of the store has none.
 */
export interface Checkpoint {
  /** The subscriber's name. */
  readonly name: string;
  /** The subscriber has everything up to this position. */
  readonly position: number;
  /** What the subscriber keeps beside its position; null: it has given nothing so far. */
  readonly state: string | null;
}

/** A state has at most this many, in UTF-8: what subscribers keep is written with every move. */
export const stateBytesMax = 1024 * 1024;

export interface Checkpoints {
  read(name: string): Promise<Checkpoint | null>;
  /**
   * Compare and set: `stale`, with nothing changed, when the checkpoint is not at `from` (null:
   * when there already is one). Position and state change together; without `state` the state
   * stays. Rejects, with nothing changed, when the state is larger than `stateBytesMax`.
   */
  move(name: string, from: number | null, to: number, state?: string): Promise<'moved' | 'stale'>;
  /** Does nothing when there is none. */
  drop(name: string): Promise<void>;
  /** Sorted by name. */
  list(): Promise<readonly Checkpoint[]>;
  close(): Promise<void>;
}

/** For implementations of `move`. */
export function expectStateFits(name: string, state: string | undefined): void {
  const bytes = state === undefined ? 0 : Buffer.byteLength(state);
  if (bytes > stateBytesMax)
    throw new Error(`The state of ${name} is ${bytes} bytes long: the limit is ${stateBytesMax}.`);
}
