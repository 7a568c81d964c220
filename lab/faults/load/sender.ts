/**
 * Posts batches by itself, one after the other, each until it is acknowledged: shuffled, with the
 * end of the batch before, and with what forks have of it. More often at once than producers do, so
 * that kills meet writes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ack, batchContentType, type LedgerEvent } from '@pi-ledger/contract';

import { dice } from '../../../test/hosts/support/machine/dice.ts';
import type { Offered } from '../truth/offered.ts';
import { planned } from './events.ts';

export interface Sender {
  /** Resolves when its last batch is acknowledged. */
  end(): Promise<void>;
  /** What an answer said that no answer should have. */
  readonly complaints: readonly string[];
}

const batchEventsMax = 20;
const repeatedEvents = 3;
const againMs = 20;
const answerMsMax = 10_000;

export function startSender(options: {
  readonly seed: number;
  readonly stream: number;
  /** Where to, in turn. */
  readonly urls: () => readonly string[];
  /** After each batch, drawn: half of it on average. */
  readonly pauseMsMax: number;
  readonly offered: Offered;
}): Sender {
  const { seed, stream, urls, pauseMsMax, offered } = options;
  const { below } = dice(`sender ${stream}`, seed);
  const complaints: string[] = [];
  let isOver = false;

  async function deliver(events: readonly LedgerEvent[]): Promise<void> {
    const ids = events.map(({ id }) => id);
    offered.note(`sender ${stream}`, { is: 'offered', ids });
    for (let attempt = 0; ; attempt += 1) {
      const ack = await post(urls()[attempt % urls().length] ?? '', events);
      if (ack === null) {
        await sleep(againMs);
        continue;
      }
      const told = ack.accepted + ack.duplicates + ack.expired + ack.rejected.length;
      if (told !== events.length || ack.rejected.length > 0)
        complaints.push(`an answer to ${events.length} events was ${JSON.stringify(ack)}`);
      return offered.note(`sender ${stream}`, { is: 'acknowledged', ids });
    }
  }

  async function run(): Promise<void> {
    for (let last = 0; !isOver; ) {
      const first = Math.max(1, last + 1 - repeatedEvents);
      last += 1 + below(batchEventsMax);
      const events = Array.from({ length: last - first + 1 }, (_, index) => first + index)
        .map((number) => planned(seed, { stream, number }))
        .flatMap(({ event, copy }) => (copy === null ? [event] : [event, copy]))
        .map((event) => ({ event, order: below(1 << 20) }))
        .toSorted((one, other) => one.order - other.order)
        .map(({ event }) => event);
      await deliver(events);
      await sleep(below(pauseMsMax + 1));
    }
  }

  const running = run();
  return {
    complaints,
    async end() {
      isOver = true;
      await running;
    },
  };
}

/** Null: not acknowledged. */
async function post(url: string, events: readonly LedgerEvent[]): Promise<Ack | null> {
  try {
    const answer = await fetch(`${url}/v1/events`, {
      method: 'POST',
      body: JSON.stringify(events),
      headers: { 'content-type': batchContentType },
      signal: AbortSignal.timeout(answerMsMax),
    });
    const text = await answer.text();
    return answer.status === 200 ? (JSON.parse(text) as Ack) : null;
  } catch {
    return null; // not there, or gone meanwhile
  }
}
