/**
 * The positions that named subscribers have reached in the log. (Views store their own checkpoints,
 * in the transaction of what they fold.)
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
}

export interface Checkpoints {
  /** Null when there is none. */
  read(name: string): Promise<number | null>;
  /**
   * Compare and set: `stale`, with nothing changed, when the checkpoint is not at `from` (null:
   * when there already is one).
   */
  move(name: string, from: number | null, to: number): Promise<'moved' | 'stale'>;
  /** Does nothing when there is none. */
  drop(name: string): Promise<void>;
  /** Sorted by name. */
  list(): Promise<readonly Checkpoint[]>;
  close(): Promise<void>;
}
