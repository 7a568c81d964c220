/**
 * How a command asks the ledger. One way for both cases: the HTTP API. A running collector is asked over its socket; without one, this process
 * opens the store itself and asks the same routes in memory.
 */
import type { Terminal } from './command.ts';
import { findCollector, httpTransport } from './running-collector.ts';
import type { Transport } from './transport.ts';

export interface LedgerClient {
  /** Resolves with the JSON of a 200 answer; rejects with the API's own message otherwise. */
  get(path: string): Promise<unknown>;
  /** As `get`, with the `rows` of all pages in one list. */
  getAll(path: string): Promise<unknown>;
  getText(path: string): Promise<string>;
  /** Whatever the answer. */
  ask(path: string): Promise<{ readonly status: number; readonly body: string }>;
  /** A list's CSV, all pages under one header line, or as many rows. */
  getCsv(path: string, rowsMax?: number): Promise<string>;
  post(path: string, body: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** An answer that is an error: the API's own message, and its status. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const pageRows = 1000;
const pagesMax = 10_000;

export async function openLedgerClient(terminal: Terminal): Promise<LedgerClient> {
  const { loadCollectorConfig } = await import('../config.ts');
  const config = loadCollectorConfig(terminal.env);
  const collector = await findCollector(config);
  return createClient(
    collector === null ? await (await import('./own-store.ts')).openOwnStore(config, terminal) : httpTransport(collector),
  );
}

function createClient(transport: Transport): LedgerClient {
  const request = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await transport.request(method, path, body === undefined ? undefined : JSON.stringify(body));
    if (answer.status !== 200) {
      throw new RefusedError(answer.status, messageOf(answer.body) ?? `The collector answered ${answer.status}.`);
    }
    return answer;
  };
  const getText = async (path: string): Promise<string> => (await request('GET', path)).body;
  const get = async (path: string): Promise<unknown> => JSON.parse(await getText(path));
  return {
    get,
    getAll: (path) => getAllPages(path, get),
    getText,
    ask: (path) => transport.request('GET', path, undefined),
    getCsv: (path, rowsMax = Number.POSITIVE_INFINITY) => getCsvPages(path, rowsMax, (page) => request('GET', page)),
    post: async (path, body) => JSON.parse((await request('POST', path, body)).body),
    close: () => transport.close(),
  };
}

async function getAllPages(path: string, get: (path: string) => Promise<unknown>): Promise<unknown> {
  const withLimit = limited(path);
  const first = (await get(withLimit)) as { rows: unknown[]; next?: string | null };
  const rows = [...first.rows];
  let next = first.next;
  for (let page = 1; next && page < pagesMax; page++) {
    const more = (await get(`${withLimit}&cursor=${encodeURIComponent(next)}`)) as { rows: unknown[]; next?: string | null };
    rows.push(...more.rows);
    next = more.next;
  }
  return { ...first, rows };
}

/** A page may end before it is full, and the list go on. */
async function getCsvPages(path: string, rowsMax: number, request: (path: string) => ReturnType<Transport['request']>): Promise<string> {
  let text = '';
  let rows = 0;
  let next: string | null = path;
  for (let page = 0; next !== null && rows < rowsMax && page < pagesMax; page++) {
    const { body, link } = await request(limited(next, Math.min(pageRows, rowsMax - rows)));
    text += text === '' ? body : body.slice(body.indexOf(lineEnd) + lineEnd.length);
    rows += rowsIn(body);
    next = nextPage(link);
  }
  return text;
}

/** Beside the header; a quoted cell may hold line ends. */
function rowsIn(csv: string): number {
  return csv.replaceAll(/"[^"]*"/g, '').split(lineEnd).length - 2;
}

const lineEnd = '\r\n';

function limited(path: string, rows: number = pageRows): string {
  const [route, query] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('limit', String(rows));
  return `${route}?${parameters}`;
}

function nextPage(link: string | null): string | null {
  return /^<(\/v1\/[^>]+)>; rel="next"$/.exec(link ?? '')?.[1] ?? null;
}

/** Errors of the API are `{code, message, field?}`. */
function messageOf(body: string): string | null {
  try {
    const { message, field } = JSON.parse(body) as { message?: unknown; field?: unknown };
    return typeof message === 'string' ? (typeof field === 'string' && !message.includes(field) ? `${field}: ${message}` : message) : null;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}
