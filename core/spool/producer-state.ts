/**
 * State of a producer process for as long as it runs, stored under `globalThis`: pi 0.73 evaluates
 * the extension anew for each session, and a second evaluation must continue with the same source,
 * sequence and segment, or sequence numbers would be assigned twice.
 */

/** Cumulative per process, as `producer.reported` reports them. */
export interface Drops {
  /** The limit of the whole spool was reached. */
  spoolFull: number;
  /** The file system refused: disk full, no permission, ... */
  spoolUnwritable: number;
  /** An event exceeded the size limit. */
  eventTooLarge: number;
  /** The recorder could not read a payload. */
  recordFailed: number;
}

export interface ProducerState {
  /** CloudEvents `source`. */
  readonly source: string;
  /** It is the number of the last event appended; before the first it is 0. */
  sequence: number;
  /** Counter of the segment for the next append. */
  counter: number;
  /** Bytes in that segment. */
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
 * The version is that of the state's shape: another version of the extension in the same process
 * keeps its own state.
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
