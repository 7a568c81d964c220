/**
 * How taking in from Kafka fares, for health: what fails now, and what Kafka deleted before it was
 * taken in. Only this process knows it: it begins anew with each start.
 *
 * Contract: never throws.
 */
import { errorText } from '@pi-ledger/core/text/error-text';
import type { LostRecords } from './kafka.ts';

export interface Intake {
  /** `what`: a part of the work, which goes on failing until it is done. */
  failed(what: string, error: unknown): void;
  done(what: string): void;
  lost(records: LostRecords): void;
  /** Sentences. */
  warnings(): readonly string[];
}

export function createIntake(): Intake {
  const failures = new Map<string, string>();
  const losses = new Map<string, number>();
  return {
    failed(what, error) {
      failures.set(what, errorText(error));
    },
    done: (what) => void failures.delete(what),
    lost({ topic, records }) {
      losses.set(topic, (losses.get(topic) ?? 0) + records);
    },
    warnings: () => [
      ...[...new Set(failures.values())].map((why) => `Taking in from Kafka fails: ${why}`),
      ...[...losses].map(([topic, records]) => lossOf(topic, records)),
    ],
  };
}

export function lossOf(topic: string, records: number): string {
  return (
    `Kafka deleted ${records} records of the topic ${topic} before a worker took them in: its ` +
    'retention is shorter than the workers were away. They are in no total.'
  );
}
