/** Stores to copy between, and what must be equal in both. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { expect } from 'vitest';
import type { StoredToken } from '../../../../collector/auth/tokens.ts';
import { type CopyResult, copyStore } from '../../../../collector/cli/transfer/copy-store.ts';
import type { Store } from '../../../../collector/stores/store.ts';
import { exampleEvent, exampleEvents } from '../../support/events.ts';
import { openStore, openStoreToRead } from '../../support/open-store.ts';

const startMs = Date.parse('2026-11-22T12:00:00.000Z');

export async function openToWrite(store: string): Promise<Store> {
  const opened = await openStore(store, {
    now: () => startMs,
    onError: (error) => console.error(error),
  });
  expect(opened.right.isHeld()).toBe(true);
  return opened;
}

/**
 * Events of several receipts, some of which a serializer would write differently; refused ones,
 * gaps, and tokens.
 */
export async function fill(store: string, count: number): Promise<void> {
  const { log, tokens, close } = await openToWrite(store);
  await log.append({ receivedAtMs: startMs, events: exampleEvents(1, count), deadLetters: [] });
  const odd = {
    ...exampleEvent({ number: count + 1 }),
    '1': 'first',
    authenticateduser: 'ada',
  } as unknown as LedgerEvent;
  const deep = '['.repeat(2_000) + ']'.repeat(2_000);
  const more = `"more": [1.0, 1e2, "\\u00e9\\u0000", ${deep}]`;
  const oddText = `${JSON.stringify(odd, null, 2).slice(0, -2)},\n ${more}}`;
  await log.append({
    receivedAtMs: startMs + 1,
    events: [JSON.parse(oddText)],
    eventTexts: [oddText],
    deadLetters: [],
  });
  for (let number = 1; number <= 5; number += 1) {
    const letter = { code: 'schema', field: '/x', message: 'No.', body: '{"same":true}' } as const;
    const sequence = String(count + 100 * number).padStart(10, '0');
    const [event] = exampleEvents(count + 1 + number, 1, { source: '/producers/two' });
    await log.append({
      receivedAtMs: startMs + 2 + (number >> 1),
      events: event === undefined ? [] : [event],
      deadLetters: [letter],
      refused: [{ source: '/producers/one', sequence }],
    });
  }
  for (const token of [tokenOf(1), tokenOf(2)]) await tokens.create(token);
  await tokens.revoke(tokenOf(2).id, startMs + 5);
  await close();
}

export function tokenOf(number: number): StoredToken {
  return {
    id: String(number).padStart(12, '0'),
    hash: new Uint8Array(32).fill(number),
    user: `user ${number}`,
    scopes: ['ingest', 'read'],
    reading: { is: 'projects', projects: ['shop'] },
    note: null,
    createdAtMs: startMs + number,
    expiresAtMs: startMs + 1_000_000,
    revokedAtMs: null,
  };
}

export async function copyBetween(from: string, to: string): Promise<CopyResult> {
  const source = await openStoreToRead(from);
  const target = await openToWrite(to);
  try {
    return await copyStore({ from: source, to: target });
  } finally {
    await target.close();
    await source.close();
  }
}

/** Everything that a copy must contain; each store assigns its own ids of dead letters. */
export async function contentOf(store: string) {
  const { log, tokens, close } = await openStoreToRead(store);
  const deadLetters = (await log.deadLetters(0, 1_000_000)).map(({ id: _id, ...letter }) => letter);
  const seal = await log.history.seal();
  const content = {
    sealId: seal?.sealId ?? null,
    events: await log.readTexts(0, 1_000_000),
    deadLetters,
    receipts: (await log.receipts()).toSorted((a, b) => (a.source < b.source ? -1 : 1)),
    tokens: (await tokens.list()).map(({ hash, ...token }) => ({
      ...token,
      hash: Buffer.from(hash).toString('hex'),
    })),
  };
  await close();
  return content;
}

/** Events below a floor, a seal of three parts over them, and one more event. */
export async function seal(store: string, number: number, isExpired = true) {
  const { log, close } = await openToWrite(store);
  const { history } = log;
  const append = async (...events: LedgerEvent[]) => {
    await log.append({ receivedAtMs: 1, events, deadLetters: [] });
    return log.head();
  };
  await append(...exampleEvents(number, 10));
  const part = (index: number) =>
    exampleEvent({ number: 1_000 * number + index, type: 'pi.history.sealed.v1' });
  const first = await append(part(1));
  const last = await append(part(2), part(3));
  await append(exampleEvent({ number: 1_000 * number + 4 }));
  const before = await history.seal();
  const superseded = before === null ? null : { first: before.first, last: before.last };
  const sealed = { sealId: `seal ${number}`, floorMs: number + 10, first, last, superseded };
  await history.enforce(sealed);
  while (isExpired && (await history.expire(7)) > 0);
  await close();
  return sealed;
}

export function withoutPositions({ events, ...rest }: Awaited<ReturnType<typeof contentOf>>) {
  return { ...rest, events: events.map(({ position: _position, ...event }) => event) };
}
