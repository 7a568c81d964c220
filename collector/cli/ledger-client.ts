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
  post(path: string, body: unknown): Promise<unknown>;
  close(): Promise<void>;
}

const pageRows = 1000;
const pagesMax = 10_000;

export async function openLedgerClient(terminal: Terminal): Promise<LedgerClient> {
  const { loadCollectorConfig } = await import('../config.ts');
  const config = loadCollectorConfig(terminal.env);
  const url = await findCollector(config);
  return createClient(
    url === null ? await (await import('./own-store.ts')).openOwnStore(config, terminal) : httpTransport(url, config.token),
  );
}

function createClient(transport: Transport): LedgerClient {
  const request = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await transport.request(method, path, body === undefined ? undefined : JSON.stringify(body));
    if (answer.status !== 200) {
      throw new Error(messageOf(answer.body) ?? `The collector answered ${answer.status}.`);
    }
    return answer.body;
  };
  const get = async (path: string): Promise<unknown> => JSON.parse(await request('GET', path));
  return {
    get,
    getAll: (path) => getAllPages(path, get),
    getText: (path) => request('GET', path),
    post: async (path, body) => JSON.parse(await request('POST', path, body)),
    close: () => transport.close(),
  };
}

async function getAllPages(path: string, get: (path: string) => Promise<unknown>): Promise<unknown> {
  const withLimit = `${path}${path.includes('?') ? '&' : '?'}limit=${pageRows}`;
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
