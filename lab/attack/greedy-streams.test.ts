/**
 * A program on this machine, without a token, opens one live stream after the other, by many names
 * and addresses, and reads some of them never: the page keeps its streams, and gets new ones.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { exampleEvents } from '../../test/collector/support/events.ts';
import { type CollectorProcess, startProcess } from './support/process.ts';

const directory = temporaryDirectory();
const sockets: Socket[] = [];
/** More than there is room for, of one address and in all. */
const streams = 200;
let collector: CollectorProcess;
let number = 1;

beforeAll(async () => {
  collector = await startProcess({ PI_LEDGER_HOME: join(directory, 'home'), HOME: directory });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => collector.stop());

interface Stream {
  heard(): string;
  isOver(): boolean;
}

async function open(headers: readonly string[], localAddress = '127.0.0.1'): Promise<Stream> {
  const socket = connect({ port: Number(new URL(collector.url).port), localAddress });
  sockets.push(socket);
  let heard = '';
  let isOver = false;
  socket.on('error', () => undefined).on('close', () => (isOver = true));
  await once(socket, 'connect');
  socket.write(`${['GET /v1/live HTTP/1.1', 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`);
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  return { heard: () => heard, isOver: () => isOver };
}

const page = () => open(['Sec-Fetch-Site: same-origin', 'User-Agent: a browser']);

async function send(): Promise<string> {
  const [event] = exampleEvents(number, 1, { subject: `session-${number}` });
  number += 1;
  const answer = await fetch(`${collector.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify([event]),
  });
  expect(await answer.json()).toMatchObject({ accepted: 1 });
  return event?.subject ?? '';
}

it.each([
  ['one name', () => 'greedy', () => '127.0.0.1'],
  ['many names', (count: number) => `greedy ${count}`, () => '127.0.0.1'],
  [
    'many names and addresses',
    (count: number) => `${count}`,
    (count: number) => `127.0.0.${2 + (count % 8)}`,
  ],
])('the page gets its updates beside a program of %s', async (_what, nameOf, addressOf) => {
  const before = [await page(), await page()];
  for (const tab of before) await expect.poll(tab.heard).toContain('"position"');
  for (let count = 0; count < streams; count += 1)
    await open([`User-Agent: ${nameOf(count)}`], addressOf(count));
  const after = await page();
  await expect.poll(after.heard).toContain('"position"');
  const session = await send();
  for (const tab of [...before, after]) await expect.poll(tab.heard).toContain(session);
  expect(collector.errors()).not.toContain('"level":50');
});
