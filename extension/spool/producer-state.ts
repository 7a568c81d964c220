/**
 * What a producer process must remember for as long as it runs, kept under `globalThis`: pi 0.73
 * evaluates the extension anew for each session, and a second evaluation must go on with the same
 * source, sequence and segment, or sequence numbers would be given twice.
 */

/** Cumulative per process, as `producer.reported` says them. */
export interface Drops {
  /** The bound of the whole spool was reached. */
  spoolFull: number;
  /** The file system refused: disk full, no permission, ... */
  spoolUnwritable: number;
  /** One event was over the limit of an event. */
  eventTooLarge: number;
  /** A payload that the recorder could not read. */
  recordFailed: number;
}

export interface ProducerState {
  /** CloudEvents `source`. */
  readonly source: string;
  /** Of the last event appended; 0 before the first. */
  sequence: number;
  /** Of the segment that the next append goes to. */
  counter: number;
  /** In that segment. */
  segmentBytes: number;
  /** Appended by this process and not yet removed. */
  ownBytes: number;
  /** Everything else in the spool, as last measured. */
  othersBytes: number;
  readonly drops: Drops;
}

/**
 * The state of the producer that writes this directory: one per process, since the directory is
 * named after the process.
 */
export function producerState(directory: string): ProducerState {
  const states = allStates();
  const found = states.get(directory);
  if (found !== undefined) return found;
  const fresh = newState();
  states.set(directory, fresh);
  return fresh;
}

/**
 * The version belongs to the shape of the state: another version of the extension in the same
 * process keeps its own.
 */
const stateKey = Symbol.for('pi-ledger.spool.v1');

function allStates(): Map<string, ProducerState> {
  const shared = globalThis as { [stateKey]?: Map<string, ProducerState> };
  shared[stateKey] ??= new Map();
  return shared[stateKey];
}

function newState(): ProducerState {
  return {
    source: `/producers/${crypto.randomUUID()}`,
    sequence: 0,
    counter: 1,
    segmentBytes: 0,
    ownBytes: 0,
    othersBytes: 0,
    drops: { spoolFull: 0, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 },
  };
}
