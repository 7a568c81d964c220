/** Thousands of connections that want nothing, and some that want it very slowly. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorsIn } from '../../test/collector/support/contract-check.ts';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { exampleEvents } from '../../test/collector/support/events.ts';
import { type AttackedCollector, attackedRoles, startAttacked } from './support/collector.ts';
import { answersIn } from './support/wire.ts';

const directory = temporaryDirectory();
const sockets = new Set<Socket>();
/** As the collector bounds them where tokens are required. */
const connectionsMax = 2_048;
const mebibyte = 1024 * 1024;
let collector: AttackedCollector;

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

async function hold(sent = ''): Promise<Socket> {
  const socket = connect(Number(new URL(collector.url).port), '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  if (sent !== '') socket.write(sent);
  return socket;
}

/** This process holds the other ends, and needs some for itself. */
function asMany(wanted: number): number {
  const open = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return Math.min(wanted, Number(open) - 500);
}

const descriptors = (): number => readdirSync(`/proc/${collector.process.pid}/fd`).length;

/**
 * Each request comes on a connection of its own: one that was kept from before may be among those
 * that are closed to make room.
 */
async function worksForOthers(number: number): Promise<void> {
  const request = { caller: 'ingest', scope: undefined } as const;
  const ready = await collector.attack({
    ...{ ...request, method: 'GET', target: '/health/ready', operation: 'ready' },
    ...{ headers: [], body: null },
  });
  expect(ready.status).toBe(200);
  const answer = await collector.attack({
    ...{ ...request, method: 'POST', target: '/v1/events', operation: 'ingest' },
    headers: ['Content-Type: application/cloudevents-batch+json'],
    body: Buffer.from(JSON.stringify(exampleEvents(number, 5))),
  });
  expect(JSON.parse(answer.body)).toMatchObject({ accepted: 5 });
}

const slowHead = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-';

describe.each(attackedRoles)('on the role %s:', (role) => {
  beforeAll(async () => {
    collector = await startAttacked(directory, { role });
  });
  afterAll(() => collector.stop());

  it.each([
    [10_000, 'nothing', ''],
    [5_000, 'half a head', slowHead],
  ])('%i connections that sent %s keep nobody out, and cost little', async (wanted, what, sent) => {
    const count = asMany(wanted);
    const before = collector.process.residentBytes();
    const first = what === 'nothing' ? 20_000 : 40_000;
    for (let opened = 1; opened <= count; opened += 1) {
      await hold(sent);
      if (opened % 2_500 === 0) await worksForOthers(first + opened);
    }
    await worksForOthers(first);
    const grown = collector.process.residentBytes() - before;
    console.log(`${count} connections, ${descriptors()} descriptors, ${grown / mebibyte} MiB more`);
    expect(count).toBeGreaterThan(connectionsMax);
    expect(descriptors()).toBeLessThan(connectionsMax + 200);
    expect(grown).toBeLessThan(300 * mebibyte);
  });

  it('one that sends a byte from time to time ends all the same, and is told why', async () => {
    const socket = await hold(slowHead);
    const came: Buffer[] = [];
    socket.on('data', (piece: Buffer) => came.push(piece));
    while (!socket.destroyed) {
      socket.write('x');
      await sleep(200);
    }
    const [answer] = answersIn(Buffer.concat(came));
    expect(answer?.status).toBe(408);
    expect(errorsIn('error', JSON.parse(answer?.body ?? ''))).toEqual([]);
  });

  it('who reads nothing of many answers holds a bounded part of them', async () => {
    const before = collector.process.residentBytes();
    const admin = collector.authorization('machine').join('');
    const asked = `GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n${admin}\r\n\r\n`;
    const held = await Promise.all(Array.from({ length: 40 }, () => hold(asked.repeat(17))));
    for (const socket of held) socket.pause();
    // Of a collector, 680 answers of 240 kB are 163 MB; it makes one for each connection.
    for (let look = 0; look < 3; look += 1) {
      await worksForOthers(60_000 + look * 10);
      const grown = collector.process.residentBytes() - before;
      console.log(`${grown / mebibyte} MiB more`);
      expect(grown).toBeLessThan(160 * mebibyte);
    }
  });
});
