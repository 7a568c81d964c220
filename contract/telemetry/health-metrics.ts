/**
 * How the collector itself fares: metrics of each process, under the service name `collector`. They
 * begin anew with the process, and tell nobody's spend.
 */
import type { MetricDefinition } from './metrics.ts';

/** Attributes of points. */
export const healthAttributeMeanings = {
  'pi.ledger.outcome':
    'of events: `accepted`, `duplicate`, `expired` or `rejected`; of batches: `taken` or `failed`',
  'pi.ledger.operation': '`append`, `commit` or `read`',
  'pi.ledger.view': 'the view: `sessions`, `timings`, ...',
  'pi.ledger.subscriber': 'the exporter',
  'pi.ledger.reason':
    'of producers: `spoolFull`, `spoolUnwritable`, `eventTooLarge` or `recordFailed`; of ' +
    'exporters: `passedOver`, `rejected` or `refused`',
} as const;

export type HealthAttribute = keyof typeof healthAttributeMeanings;

export interface HealthMetric extends Pick<MetricDefinition, 'name' | 'kind' | 'description'> {
  readonly unit: 's' | 'By' | `{${string}}`;
  readonly attributes: readonly HealthAttribute[];
}

export const healthMetrics = {
  ingestDuration: {
    name: 'pi.ledger.ingest.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['pi.ledger.outcome'],
    description: 'From a batch of events at hand until it is durable, or refused by the store.',
  },
  ingestEvents: {
    name: 'pi.ledger.ingest.events',
    kind: 'counter',
    unit: '{event}',
    attributes: ['pi.ledger.outcome'],
    description: 'Events that were offered.',
  },
  ingestInHand: {
    name: 'pi.ledger.ingest.in_hand',
    kind: 'gauge',
    unit: '{batch}',
    attributes: [],
    description: 'Batches that wait for the store.',
  },
  storeDuration: {
    name: 'pi.ledger.store.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['pi.ledger.operation'],
    description: 'Appends to the log, commits of views, and reads of the log.',
  },
  viewLag: {
    name: 'pi.ledger.view.lag',
    kind: 'gauge',
    unit: '{event}',
    attributes: ['pi.ledger.view'],
    description: 'Events in the log that a view has not folded yet.',
  },
  viewSetAside: {
    name: 'pi.ledger.view.set_aside',
    kind: 'gauge',
    unit: '{event}',
    attributes: ['pi.ledger.view'],
    description: 'Events that a view lacks because they cannot be folded.',
  },
  subscriberLag: {
    name: 'pi.ledger.subscriber.lag',
    kind: 'gauge',
    unit: '{event}',
    attributes: ['pi.ledger.subscriber'],
    description: 'Events in the log that an exporter has not sent yet.',
  },
  subscriberFailing: {
    name: 'pi.ledger.subscriber.failing',
    kind: 'gauge',
    unit: '{subscriber}',
    attributes: ['pi.ledger.subscriber'],
    description: '1: the exporter does not advance. 0: it does.',
  },
  subscriberLost: {
    name: 'pi.ledger.subscriber.lost',
    kind: 'counter',
    unit: '{item}',
    attributes: ['pi.ledger.subscriber', 'pi.ledger.reason'],
    description:
      'What an exporter does not send any more: events that retention deleted before it read ' +
      'them, and spans or log records that the endpoint dropped or does not take.',
  },
  deadLetters: {
    name: 'pi.ledger.dead_letters',
    kind: 'gauge',
    unit: '{event}',
    attributes: [],
    description: 'Rejected events that are kept.',
  },
  deadLettersLost: {
    name: 'pi.ledger.dead_letters.lost',
    kind: 'counter',
    unit: '{event}',
    attributes: [],
    description: 'Rejected events that were lost, since there was no room to keep them.',
  },
  producersDropped: {
    name: 'pi.ledger.producers.dropped',
    kind: 'gauge',
    unit: '{event}',
    attributes: ['pi.ledger.reason'],
    description: 'Events that the producers of the last 24 hours could not record.',
  },
  producersSilent: {
    name: 'pi.ledger.producers.silent',
    kind: 'gauge',
    unit: '{producer}',
    attributes: [],
    description:
      "Producers on the collector's machine whose oldest unsent event has waited for 5 minutes " +
      'or more, whatever they wrote since.',
  },
  spoolSize: {
    name: 'pi.ledger.spool.size',
    kind: 'gauge',
    unit: 'By',
    attributes: [],
    description: "What waits in the spool of the collector's machine.",
  },
  spoolAge: {
    name: 'pi.ledger.spool.age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: "How long the oldest event in the spool of the collector's machine has waited.",
  },
  ready: {
    name: 'pi.ledger.ready',
    kind: 'gauge',
    unit: '{collector}',
    attributes: [],
    description:
      '1: this collector or gateway can do its work. 0: its `/health/ready` says why not.',
  },
  leader: {
    name: 'pi.ledger.leader',
    kind: 'gauge',
    unit: '{collector}',
    attributes: [],
    description: '1: this collector writes. 0: it is on standby.',
  },
} as const satisfies Readonly<Record<string, HealthMetric>>;

export type HealthMetricKey = keyof typeof healthMetrics;
