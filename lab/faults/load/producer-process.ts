/**
 * An agent with nothing in it but our spool and shipper, as a process of its own (argument: its
 * settings as JSON). It appends a few events at a time until SIGTERM, then flushes and ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventDraft } from '../../../core/record/draft.ts';
import { readOwner } from '../../../core/spool/owner.ts';
import { createSpool, type Drops } from '../../../core/spool/spool.ts';
import { systemClock } from '../../../extension/clock.ts';
import { createReaderWatch } from '../../../extension/shipping/reader-watch.ts';
import { createShipper } from '../../../extension/shipping/shipper.ts';
import { createTransport, type Transport } from '../../../extension/shipping/transport.ts';
import { dice } from '../../../test/hosts/support/machine/dice.ts';
import { planned } from './events.ts';
import { type JournalWriter, openJournal } from './journal.ts';

export interface ProducerSettings {
  readonly seed: number;
  readonly stream: number;
  readonly home: string;
  readonly spoolDirectory: string;
  readonly journal: string;
  readonly url: string;
  readonly token: string;
  /** It appends nothing, and ships what dead producers left. */
  readonly isSweeper: boolean;
}

const settings = JSON.parse(process.argv[2] ?? '{}') as ProducerSettings;
const { seed, stream, home, spoolDirectory, url, token } = settings;
const appendEveryMsMax = 200;
const appendEventsMax = 8;
const repeatChance = 0.1;
const retryEveryMs = 1_000;
const flushMsMax = 2_000;
const spoolBytesMax = 64 * 1024 * 1024;

const { below, chance } = dice(`producer ${stream}`, seed);
const journal = openJournal(settings.journal);
const owner = readOwner();
const spool = createSpool({ spoolDirectory, owner, spoolBytesMax });
const shipper = createShipper({
  ...{ spool, spoolDirectory, owner, url },
  flushIntervalMs: 1,
  notify: () => undefined,
  clock: systemClock,
  random: Math.random,
  transport: noting(journal, proving()),
  readerWatch: createReaderWatch({ spoolDirectory, clock: systemClock }),
});
let isOver = false;
process.on('SIGTERM', () => {
  isOver = true;
});
process.stdout.write('started\n');

let number = 0;
let retriedAtMs = performance.now();
while (!isOver) {
  if (!settings.isSweeper) append(drafts());
  shipper.wake();
  // As a user does with `/ledger`: else it would wait minutes after many failures.
  if (performance.now() - retriedAtMs > retryEveryMs) {
    retriedAtMs = performance.now();
    void shipper.retry(retryEveryMs);
  }
  await sleep(below(appendEveryMsMax + 1));
}
await shipper.flush(flushMsMax);
process.exit(0);

/** New ones in no order; sometimes one that was appended before. */
function drafts(): EventDraft[] {
  const numbers = Array.from({ length: 1 + below(appendEventsMax) }, () => {
    if (number > 0 && chance(repeatChance)) return 1 + below(number);
    number += 1;
    return number;
  });
  for (let index = numbers.length - 1; index > 0; index -= 1) {
    const other = below(index + 1);
    [numbers[index], numbers[other]] = [numbers[other] ?? 1, numbers[index] ?? 1];
  }
  return numbers.map((each) => planned(seed, { stream, number: each }).event as EventDraft);
}

function append(events: readonly EventDraft[]): void {
  const ids = events.map(({ id }) => id);
  journal.write({ is: 'offered', ids });
  const isSpooled = spool.append(events);
  if (isSpooled) journal.write({ is: 'spooled', ids });
  else journal.write({ is: 'refused', ids, dropped: total(spool.drops()) });
}

function total(drops: Drops): number {
  return Object.values(drops).reduce((sum, count) => sum + count, 0);
}

function proving(): Transport {
  return createTransport({ url, isUrlNamed: true, token, home, nowMs: Date.now });
}

/** Writes down what was acknowledged, before the spool removes it. */
function noting(to: JournalWriter, transport: Transport): Transport {
  return {
    async send(lines) {
      const result = await transport.send(lines);
      if (result.state === 'acked') {
        const refused = new Set(result.ack.rejected.map(({ index }) => index));
        const ids = lines
          .filter((_, index) => !refused.has(index))
          .map((line) => (JSON.parse(line) as { readonly id: string }).id);
        to.write({ is: 'acknowledged', ids });
      }
      return result;
    },
  };
}
