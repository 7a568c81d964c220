/**
 * The projection `producers`: one document per producer process or importer (key: the event's
 * source), with its identity, when it was heard from, and what it failed to record. For gaps in its
 * sequence, see `log.receipts()`.
 *
 * Guarantees: a function of the set of events in any order, except for the times of receipt, which
 * are the log's.
 */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import type { Projection } from './projection.ts';

type Dropped = EventData<'pi.producer.reported.v1'>['dropped'];

export interface SeenProducer {
  readonly source: string;
  events: number;
  /** By the events' own times. */
  firstSeenAt: string;
  lastSeenAt: string;
  /** When its newest event was received. */
  lastReceivedAtMs: number;
  /** Ten digits; null for importers. */
  lastSequence: string | null;
  /** From its newest attribution; empty until there is one. */
  attributedAt: string;
  user: string;
  machine: string;
  host: string;
  hostVersion: string;
  /** From its newest attribution or report. */
  versionAt: string;
  producerVersion: string;
  /** Counted since its process started. */
  readonly dropped: Dropped;
}

export const producers: Projection<SeenProducer> = {
  name: 'producers',
  version: 1,
  settings: '',
  rollups: [],
  columns: {
    lastSeenAt: 'text',
    lastReceivedAtMs: 'integer',
    user: 'text',
    machine: 'text',
    host: 'text',
  },
  indexes: [['lastSeenAt']],
  key: ({ event }) => (ofCollectors.has(event.type) ? null : event.source.toWellFormed()),
  initial: createProducer,
  evolve(state, { event, receivedAtMs }) {
    state.events += 1;
    if (state.firstSeenAt === '' || event.time < state.firstSeenAt) state.firstSeenAt = event.time;
    if (event.time > state.lastSeenAt) state.lastSeenAt = event.time;
    if (receivedAtMs > state.lastReceivedAtMs) state.lastReceivedAtMs = receivedAtMs;
    if (event.sequence !== undefined && event.sequence > (state.lastSequence ?? ''))
      state.lastSequence = event.sequence;
    if (event.type === 'pi.session.attributed.v1') {
      attribute(state, attributed(event));
      const { producerVersion } = event.data;
      if (producerVersion !== null) version(state, event.time, producerVersion);
    }
    if (event.type === 'pi.producer.reported.v1') {
      version(state, event.time, event.data.producerVersion);
      drop(state, event.data.dropped);
    }
    return state;
  },
  columnsOf: producerColumns,
  encode: (state) => JSON.stringify(state),
  decode: (body) => JSON.parse(body),
  sealing: {
    open: (body, version) => (version === 1 ? JSON.parse(body) : null),
    emit: () => undefined,
    cumulative: [],
  },
  joining: {
    join(left, right) {
      const state = joined(left.state, right.state);
      return { state, columns: producerColumns(state) };
    },
    isOnePart: false,
  },
};

function producerColumns({ lastSeenAt, lastReceivedAtMs, user, machine, host }: SeenProducer) {
  return { lastSeenAt, lastReceivedAtMs, user, machine, host };
}

/** No producer sends these. */
const ofCollectors: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'pi.history.sealed.v1',
  'pi.entry.moved.v1',
  'pi.records.labelled.v1',
  'pi.budget.defined.v1',
  'pi.budget.crossed.v1',
]);

function createProducer(source: string): SeenProducer {
  return {
    source,
    events: 0,
    firstSeenAt: '',
    lastSeenAt: '',
    lastReceivedAtMs: 0,
    lastSequence: null,
    attributedAt: '',
    user: '',
    machine: '',
    host: '',
    hostVersion: '',
    versionAt: '',
    producerVersion: '',
    dropped: { spoolFull: 0, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 },
  };
}

/** In the order of `createProducer`: the text is that of one fold. */
function joined(left: SeenProducer, right: SeenProducer): SeenProducer {
  const state: SeenProducer = { ...left, dropped: { ...left.dropped } };
  state.events += right.events;
  if (right.firstSeenAt < left.firstSeenAt) state.firstSeenAt = right.firstSeenAt;
  if (right.lastSeenAt > left.lastSeenAt) state.lastSeenAt = right.lastSeenAt;
  state.lastReceivedAtMs = Math.max(left.lastReceivedAtMs, right.lastReceivedAtMs);
  if ((right.lastSequence ?? '') > (left.lastSequence ?? ''))
    state.lastSequence = right.lastSequence;
  attribute(state, right);
  version(state, right.versionAt, right.producerVersion);
  drop(state, right.dropped);
  return state;
}

type Attributed = Pick<SeenProducer, 'attributedAt' | 'user' | 'machine' | 'host' | 'hostVersion'>;

function attributed({
  time,
  data,
  authenticateduser,
}: LedgerEvent<'pi.session.attributed.v1'>): Attributed {
  return {
    attributedAt: time,
    user: authenticateduser ?? data.user,
    machine: data.machine,
    host: data.host.name,
    hostVersion: data.host.version ?? '',
  };
}

/**
 * When two attributions have the same time, the alphabetically last one wins, so that their order
 * does not matter.
 */
function attribute(state: SeenProducer, added: Attributed): void {
  const { attributedAt, user, machine, host, hostVersion } = added;
  if (attributionText(added) > attributionText(state))
    Object.assign(state, { attributedAt, user, machine, host, hostVersion });
}

function attributionText({ attributedAt, user, machine, host, hostVersion }: Attributed): string {
  return JSON.stringify([attributedAt, user, machine, host, hostVersion]);
}

function drop(state: SeenProducer, dropped: Dropped): void {
  for (const reason of Object.keys(state.dropped) as (keyof Dropped)[])
    state.dropped[reason] = Math.max(state.dropped[reason], dropped[reason]);
}

function version(state: SeenProducer, time: string, producerVersion: string): void {
  if (
    JSON.stringify([time, producerVersion]) >
    JSON.stringify([state.versionAt, state.producerVersion])
  ) {
    Object.assign(state, { versionAt: time, producerVersion });
  }
}
