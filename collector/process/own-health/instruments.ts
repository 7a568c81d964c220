/** The instruments of the collector's own metrics, by their table. */
import type {
  Attributes,
  Meter,
  MetricOptions,
  Observable,
  ObservableResult,
} from '@opentelemetry/api';
import {
  type HealthAttribute,
  type HealthMetric,
  type HealthMetricKey,
  healthMetrics,
} from '@pi-ledger/contract/telemetry/health-metrics';
import type { HealthRecorder, StoreOperation } from './measure.ts';
import { type ReadReadings, readKeys } from './readings.ts';

/** Seconds: a store of this machine answers in a millisecond, one over a network in hundreds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Zeros are recorded at once, so that the first events are growth of a known series. */
export function createRecorder(meter: Meter): HealthRecorder {
  const histogram = (metric: HealthMetric) =>
    meter.createHistogram(metric.name, {
      ...metricOptions(metric),
      advice: { explicitBucketBoundaries: bounds },
    });
  const ingest = histogram(healthMetrics.ingestDuration);
  const store = histogram(healthMetrics.storeDuration);
  const events = meter.createCounter(
    healthMetrics.ingestEvents.name,
    metricOptions(healthMetrics.ingestEvents),
  );
  const outcomes = {
    ...{ taken: outcome('taken'), failed: outcome('failed') },
    ...{ accepted: outcome('accepted'), duplicate: outcome('duplicate') },
    ...{ expired: outcome('expired'), rejected: outcome('rejected') },
  };
  const operations: Readonly<Record<StoreOperation, Attributes>> = {
    append: { 'pi.ledger.operation': 'append' },
    commit: { 'pi.ledger.operation': 'commit' },
    read: { 'pi.ledger.operation': 'read' },
  };
  for (const each of ['accepted', 'duplicate', 'expired', 'rejected'] as const)
    events.add(0, outcomes[each]);
  let inHand = 0;
  observe(meter, 'ingestInHand', (result) => result.observe(inHand));
  return {
    storeTook: (operation, ms) => store.record(ms / 1000, operations[operation]),
    batchCame() {
      inHand += 1;
    },
    batchWent(ms, ack) {
      inHand -= 1;
      ingest.record(ms / 1000, ack === null ? outcomes.failed : outcomes.taken);
      if (ack === null) return;
      events.add(ack.accepted, outcomes.accepted);
      events.add(ack.duplicates, outcomes.duplicate);
      events.add(ack.expired, outcomes.expired);
      events.add(ack.rejected.length, outcomes.rejected);
    },
  };
}

/** Asks for all of them with each collection. What cannot be read is left out of that one. */
export function observeReadings(meter: Meter, read: ReadReadings): void {
  const observed = new Map(readKeys.map((key) => [key, createObservable(meter, key)]));
  meter.addBatchObservableCallback(
    async (result) => {
      for (const { key, value, attributes } of await read()) {
        const instrument = observed.get(key);
        if (instrument !== undefined) result.observe(instrument, value, attributes);
      }
    },
    [...observed.values()],
  );
}

function observe(
  meter: Meter,
  key: HealthMetricKey,
  callback: (result: ObservableResult) => void,
): void {
  createObservable(meter, key).addCallback(callback);
}

function createObservable(meter: Meter, key: HealthMetricKey): Observable {
  const metric = healthMetrics[key];
  return metric.kind === 'counter'
    ? meter.createObservableCounter(metric.name, metricOptions(metric))
    : meter.createObservableGauge(metric.name, metricOptions(metric));
}

function metricOptions({ unit, description }: HealthMetric): MetricOptions {
  return { unit, description };
}

function outcome(value: string): Readonly<Partial<Record<HealthAttribute, string>>> {
  return { 'pi.ledger.outcome': value };
}
