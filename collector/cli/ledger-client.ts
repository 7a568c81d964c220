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
  /** A list's CSV, all pages under one header line. */
  getAllCsv(path: string): Promise<string>;
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
    getAllCsv: (path) => getAllCsvPages(path, (page) => request('GET', page)),
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

async function getAllCsvPages(path: string, request: (path: string) => ReturnType<Transport['request']>): Promise<string> {
  const first = await request(limited(path));
  const pages = [first.body];
  let next = nextPage(first.link);
  for (let page = 1; next !== null && page < pagesMax; page++) {
    const { body, link } = await request(next);
    pages.push(body.slice(body.indexOf(lineEnd) + lineEnd.length));
    next = nextPage(link);
  }
  return pages.join('');
}

const lineEnd = '\r\n';

function limited(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}limit=${pageRows}`;
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
