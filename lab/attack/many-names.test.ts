/**
 * One ingest token sends 8,000 models, tools, agents, labels and branches. Whatever is asked then,
 * others are answered while that answer is made, and lose no name of theirs.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { sessionsOfNames } from '../../test/collector/support/many-names.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { Attack } from './support/attacks.ts';
import { type AttackedCollector, type CallerName, startAttacked } from './support/collector.ts';
import { readDocument } from './support/document.ts';

const directory = temporaryDirectory();
const hostile = { prefix: 'hostile-', count: 8_000, firstNumber: 5_000_000, user: 'eve' };
const honest = { prefix: 'honest-', count: 20, firstNumber: 4_000_000, nanoUsd: () => 1 };
const batchEvents = 2_000;
let collector: AttackedCollector;

function asked(target: string, caller: CallerName, body: Buffer | null = null): Attack {
  const method = body === null ? 'GET' : 'POST';
  const headers = body === null ? [] : ['Content-Type: application/cloudevents-batch+json'];
  return { method, target, headers, body, caller, operation: `${method} ${target}`, scope: null };
}

async function send(names: typeof hostile | typeof honest, caller: CallerName): Promise<void> {
  const events = [...sessionsOfNames(names)].flat();
  for (let from = 0; from < events.length; from += batchEvents) {
    const batch = events.slice(from, from + batchEvents);
    const body = Buffer.from(JSON.stringify(batch));
    const answer = await collector.attack(asked('/v1/events', caller, body));
    expect(JSON.parse(answer.body)).toMatchObject({ accepted: batch.length, rejected: [] });
  }
}

beforeAll(async () => {
  collector = await startAttacked(directory);
  await send(honest, 'machine');
  await send(hostile, 'ingest');
  await eventually(async () => {
    const { body } = await question('/v1/usage?by=model&model=hostile-07999');
    expect(body).toContain('"records":2,');
  });
});
afterAll(() => collector.stop());

const question = (target: string) => collector.attack(asked(target, 'machine'));

/** How many other requests were answered while this one was. */
async function othersDuring(target: string): Promise<{ others: number; body: string }> {
  let isAnswered = false;
  const answer = question(target).finally(() => {
    isAnswered = true;
  });
  let others = 0;
  while (!isAnswered) {
    expect((await question('/health/live')).status).toBe(200);
    others += 1;
  }
  const { status, body } = await answer;
  expect([target, status]).toEqual([target, 200]);
  return { others, body };
}

/** Without turns, none of them would let more than a few others in. */
const longOnes = ['/v1/models', '/v1/models/days', '/v1/usage?by=model,day', '/v1/totals'];

describe('8,000 names by one token', () => {
  it.each([...longOnes, '/metrics'])('leave the collector to others: %s', async (target) => {
    const { others } = await othersDuring(target);
    console.log(`${target}: ${others} others were answered meanwhile`);
    expect(others).toBeGreaterThan(6);
  });

  it('get no question wrong, and none is refused', async () => {
    const { operations } = readDocument((await question('/openapi.json')).body);
    const whole = operations.filter(
      ({ method, path, parameters }) =>
        method === 'GET' && !parameters.some(({ required }) => required) && path !== '/v1/live',
    );
    for (const { path } of whole)
      expect([path, (await question(path)).status]).toEqual([
        path,
        path === '/v1/reconciliation' ? expect.any(Number) : 200,
      ]);
  });

  it.each([
    ...['/v1/models?limit=1000', '/v1/tools?limit=1000', '/v1/runs?by=agent&limit=1000'],
    ...['model', 'agent', 'branch', 'label:ticket'].map((by) => `/v1/usage?by=${by}&limit=1000`),
  ])('hide their own beyond a thousand, and none of others: %s', async (target) => {
    const bodies: string[] = [];
    for (let cursor = ''; cursor !== 'null'; ) {
      const { body } = await question(`${target}${cursor}`);
      bodies.push(body);
      const { next, hiddenNames } = JSON.parse(body);
      expect(hiddenNames).toBeGreaterThanOrEqual(hostile.count - 1_000);
      cursor = next === null ? 'null' : `&cursor=${next}`;
    }
    const text = bodies.join('');
    const of = (prefix: string) => new Set(text.match(new RegExp(`"${prefix}\\d+"`, 'g'))).size;
    expect([of('honest-'), of('hostile-')]).toEqual([honest.count, 1_000]);
  });

  it('are a bounded part of the metrics', async () => {
    const { body } = await question('/metrics');
    const lines = body.split('\n').filter((line) => line.startsWith('pi_cost_usd_total{'));
    const of = (prefix: string) => lines.filter((line) => line.includes(`"${prefix}`)).length;
    expect([of('honest-'), of('hostile-')]).toEqual([honest.count, 1_000]);
    expect(body).toMatch(/pi_metrics_hidden_series\{[^}]*\} [1-9]/);
  });

  it('keep no metrics from others, however many of them one reader leaves unread', async () => {
    const { body } = await question('/metrics');
    const unread = Math.ceil(unreadBytesMax / body.length) + 2;
    const sockets = await Promise.all(
      Array.from({ length: unread }, () => askWithoutReading('/metrics', 'read')),
    );
    const { status, body: again } = await question('/metrics');
    expect([status, again.length > body.length / 2]).toEqual([200, true]);
    for (const socket of sockets) socket.destroy();
  });
});

/** What unread answers may hold together. */
const unreadBytesMax = 64 * 1024 * 1024;

/** Resolves when the first byte is there. */
async function askWithoutReading(target: string, caller: CallerName): Promise<Socket> {
  const socket = connect(Number(new URL(collector.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = [`GET ${target} HTTP/1.1`, 'Host: localhost', ...collector.authorization(caller)];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  return socket;
}
