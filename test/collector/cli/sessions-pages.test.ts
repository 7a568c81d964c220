import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';

/** A collector ends a page early when it has looked at very many sessions that do not fit. */
const pages = [
  { rows: [], next: 'one' },
  { rows: [{ id: 'rare' }], next: 'two' },
  { rows: [{ id: 'rarer' }], next: 'three' },
];
const asked: string[] = [];
const collector = createServer((request, response) => {
  const page = pages[asked.length];
  asked.push(String(request.url));
  response.setHeader('content-type', 'application/json').end(JSON.stringify(page));
});

beforeAll(() => new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve)));
afterAll(() => collector.close());

it('asks on until it has as many sessions as are wanted', async () => {
  const printed: string[] = [];
  const { port } = collector.address() as AddressInfo;
  const env = { PI_LEDGER_URL: `http://127.0.0.1:${port}`, PI_LEDGER_HOME: '/nonexistent' };
  const print = (line: string) => printed.push(line);
  const code = await main(['sessions', '--limit', '2', '--model', 'rare', '--json'], {
    env,
    columns: null,
    colour: false,
    now: () => new Date(0),
    print,
    complain: print,
  });
  expect({ code, rows: JSON.parse(printed.join('\n')).rows }).toEqual({ code: 0, rows: [{ id: 'rare' }, { id: 'rarer' }] });
  expect(asked.map((url) => new URL(url, 'http://localhost').searchParams)).toEqual([
    new URLSearchParams({ model: 'rare', limit: '2' }),
    new URLSearchParams({ model: 'rare', limit: '2', cursor: 'one' }),
    new URLSearchParams({ model: 'rare', limit: '1', cursor: 'two' }),
  ]);
});
