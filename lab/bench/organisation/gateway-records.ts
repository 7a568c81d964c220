/**
 * What gateways write to Kafka, by their own code, without the connections and checks that cost
 * cores: attested events, in the sends that a gateway would make of batches that arrive like this.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { createForwarding } from '../../../collector/ingest/kafka/forwarding.ts';
import type { Kafka } from '../../../collector/ingest/kafka/kafka.ts';
import { partitionOf } from '../../../collector/ingest/kafka/partition-of.ts';
import type { Topics } from '../../../collector/ingest/kafka/records.ts';
import { attest } from '../../../collector/ingest/sender.ts';

export interface GatewayRecords {
  /** Resolves when Kafka has the batch. Each batch goes to whoever of the gateways is next. */
  send(events: readonly LedgerEvent[], receivedAtMs: number): Promise<void>;
  /** How many events Kafka has confirmed. */
  sent(): number;
  close(): Promise<void>;
}

/** A token's id is as long. */
const sender = { is: 'producer', user: null, token: 'tok_0123456789abcdef' } as const;

export function openGatewayRecords(kafka: Kafka, topics: Topics, gateways: number): GatewayRecords {
  const forwardings = Array.from({ length: gateways }, () =>
    createForwarding({
      ...{ producing: kafka.openProducing(), topics, partitionOf },
      now: Date.now,
      onError: () => undefined,
    }),
  );
  let [turn, sent] = [0, 0];
  return {
    async send(events, receivedAtMs) {
      turn += 1;
      const attested = events.map((value) =>
        attest({ value, text: JSON.stringify(value) }, sender),
      );
      await forwardings[turn % gateways]?.append({
        receivedAtMs,
        events: attested.map(({ value }) => value),
        eventTexts: attested.map(({ text }) => text),
        deadLetters: [],
      });
      sent += events.length;
    },
    sent: () => sent,
    close: async () => void (await Promise.all(forwardings.map((each) => each.close()))),
  };
}
