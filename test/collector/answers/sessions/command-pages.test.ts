import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { main } from '../../../../collector/cli/main.ts';
import { answerProof, collectorHome } from '../../../core/spool/support/proving.ts';

/** A collector ends a page early after very many sessions that do not match. */
const pages = [
  { rows: [], next: 'one' },
  { rows: [{ id: 'rare' }], next: 'two' },
  { rows: [{ id: 'rarer' }], next: 'three' },
];
const csv = ['id,cwd\r\n', 'id,cwd\r\nrare,"two\r\n""lines"""\r\n', 'id,cwd\r\nrarer,\r\n'];
const asked: URL[] = [];
const collector = createServer((request, response) => {
  if (answerProof(request, response)) return response;
  const page = asked.length;
  const url = new URL(String(request.url), 'http://localhost');
  if (url.pathname === '/v1/usage') return response.end(JSON.stringify({ rows: [], next: null }));
  // As an older collector without these routes.
  if (url.pathname !== '/v1/sessions') return response.writeHead(404).end('{}');
  asked.push(url);
  if (url.searchParams.get('format') !== 'csv')
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(pages[page]));
  const next = new URLSearchParams({
    ...Object.fromEntries(url.searchParams),
    cursor: pages[page]?.next ?? '',
  });
  return response.setHeader('link', `<${url.pathname}?${next}>; rel="next"`).end(csv[page]);
});

beforeAll(() => new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve)));
beforeEach(() => void asked.splice(0));
afterAll(() => collector.close());

async function run(...argv: string[]): Promise<{ code: number; printed: string }> {
  const printed: string[] = [];
  const { port } = collector.address() as AddressInfo;
  const env = { PI_LEDGER_URL: `http://127.0.0.1:${port}`, PI_LEDGER_HOME: collectorHome };
  const print = (line: string) => printed.push(line);
  const code = await main(argv, {
    env,
    columns: null,
    colour: false,
    now: () => new Date(0),
    print,
    complain: print,
  });
  return { code, printed: printed.join('\n') };
}

it('keeps asking until it has as many sessions as requested', async () => {
  const { code, printed } = await run('sessions', '--limit', '2', '--model', 'rare', '--json');
  expect({ code, rows: JSON.parse(printed).rows }).toEqual({
    code: 0,
    rows: [{ id: 'rare' }, { id: 'rarer' }],
  });
  expect(asked.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
    { model: 'rare', limit: '2' },
    { model: 'rare', limit: '2', cursor: 'one' },
    { model: 'rare', limit: '1', cursor: 'two' },
  ]);
});

it('does the same for CSV, under one header', async () => {
  const { code, printed } = await run('sessions', '--limit', '2', '--model', 'rare', '--csv');
  expect({ code, printed }).toEqual({
    code: 0,
    printed: 'id,cwd\r\nrare,"two\r\n""lines"""\r\nrarer,',
  });
  expect(asked.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
    { model: 'rare', format: 'csv', limit: '2' },
    { model: 'rare', format: 'csv', limit: '2', cursor: 'one' },
    { model: 'rare', format: 'csv', limit: '1', cursor: 'two' },
  ]);
});
