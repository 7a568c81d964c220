/**
 * How far named subscribers have come in the log. (Views keep their own checkpoints: theirs move in
 * the transaction of what they fold.)
 *
 * Contract: what `move` and `drop` have done is durable when they resolve, and every process that
 * has the store open sees it. All reject when the store fails; whether it was done is then unknown.
 * Checkpoints are of this store alone: a copy of it has none.
 */
export interface Checkpoint {
  /** Of the subscriber. */
  readonly name: string;
  /** It has all up to here. */
  readonly position: number;
}

export interface Checkpoints {
  /** Null: there is none. */
  read(name: string): Promise<number | null>;
  /**
   * Compares and sets: `stale` where it does not stand at `from` (null: where there is one
   * already), and nothing changes.
   */
  move(name: string, from: number | null, to: number): Promise<'moved' | 'stale'>;
  /** Does nothing where there is none. */
  drop(name: string): Promise<void>;
  /** By name. */
  list(): Promise<readonly Checkpoint[]>;
  close(): Promise<void>;
}
