import type { Ack } from '@pi-ledger/contract';
import { afterEach, expect, it } from 'vitest';
import { createIngest } from '../../../../collector/ingest/ingest.ts';
import {
  type HealthRecorder,
  measuredIngest,
  measuredStore,
} from '../../../../collector/process/own-health/measure.ts';
import type { Store } from '../../../../collector/stores/store.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvents } from '../../support/events.ts';
import { openStore } from '../../support/open-store.ts';

const directory = temporaryDirectory();
const opened: Store[] = [];
let files = 0;
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

function notebook() {
  const took: string[] = [];
  const acks: (Ack | null)[] = [];
  let inHand = 0;
  const recorder: HealthRecorder = {
    storeTook(operation, ms) {
      expect(ms).toBeGreaterThan(0);
      took.push(operation);
    },
    batchCame() {
      inHand += 1;
    },
    batchWent(_ms, ack) {
      inHand -= 1;
      acks.push(ack);
    },
  };
  return { recorder, took, acks, inHand: () => inHand };
}

async function openMeasured(recorder: HealthRecorder): Promise<Store> {
  files += 1;
  const store = await openStore(`sqlite:${directory}/${files}.db`, {
    now: Date.now,
    onError: (error) => {
      throw error;
    },
  });
  opened.push(store);
  return measuredStore(store, recorder);
}

it('appends, reads and commits are timed, and answer as before', async () => {
  const { recorder, took } = notebook();
  const { log } = await openMeasured(recorder);
  const events = exampleEvents(1, 3);
  const appended = await log.append({ receivedAtMs: 1, events, deadLetters: [] });
  expect(appended).toMatchObject({ appended: 3, duplicates: 0 });
  expect((await log.read(0, 10)).map(({ event }) => event.id)).toEqual(events.map(({ id }) => id));
  expect(took).toEqual(['append', 'read']);
  expect(await log.head()).toBe(3);
});

it('a batch is in hand until it is durable; what was offered is told by outcome', async () => {
  const { recorder, acks, inHand } = notebook();
  const { log } = await openMeasured(recorder);
  const ingest = measuredIngest(
    createIngest({ log, now: () => Date.parse('2026-11-23'), onAppended: () => undefined }),
    recorder,
  );
  const taking = ingest.accept([...exampleEvents(1, 2), { not: 'an event' }]);
  expect(inHand()).toBe(1);
  expect(await taking).toMatchObject({ accepted: 2, duplicates: 0 });
  expect(inHand()).toBe(0);
  await ingest.accept(exampleEvents(2, 2));
  expect(acks).toMatchObject([
    { accepted: 2, duplicates: 0, rejected: [{ index: 2 }] },
    { accepted: 1, duplicates: 1, rejected: [] },
  ]);
});

it('a batch that the store refuses is none that was taken, and rejects as before', async () => {
  const { recorder, acks, took, inHand } = notebook();
  const store = await openMeasured(recorder);
  const refused = new Error('no room');
  const log = { ...store.log, append: () => Promise.reject(refused) };
  const ingest = measuredIngest(
    createIngest({ log, now: Date.now, onAppended: () => undefined }),
    recorder,
  );
  await expect(ingest.accept(exampleEvents(1, 1))).rejects.toBe(refused);
  expect([acks, took, inHand()]).toEqual([[null], [], 0]);
});
