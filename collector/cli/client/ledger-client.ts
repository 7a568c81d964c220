/**
 * How a command asks the ledger. One way for both cases: the HTTP API. A running collector is asked
 * over its socket; without one, this process opens the store itself and asks the same routes in
 * memory.
 */
import type { Answers, PathOf } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import { findCollector, httpTransport } from './running-collector.ts';
import type { Transport } from './transport.ts';

type GetPath = PathOf<'GET'>;
type ListPath = { [Path in GetPath]: Answers[`GET ${Path}`] extends List ? Path : never }[GetPath];
type PostPath = PathOf<'POST'>;

interface List {
  readonly rows: readonly unknown[];
  readonly next: string | null;
}

interface Question {
  /** For the names in braces of the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: URLSearchParams;
}

/**
 * Answers have the types of the contract. Nothing checks that here: a collector of another version
 * may leave something out, which is said where it matters.
 */
export interface LedgerClient {
  /** The answer; rejects with the API's own message when it is an error. */
  get<Path extends GetPath>(path: Path, question?: Question): Promise<Answers[`GET ${Path}`]>;
  /** As `get`, with the `rows` of all pages in one list. */
  getAll<Path extends ListPath>(
    path: Path,
    query?: URLSearchParams,
  ): Promise<Answers[`GET ${Path}`]>;
  /** As `get`, whatever the status. */
  getAnyway<Path extends GetPath>(path: Path): Promise<Partial<Answers[`GET ${Path}`]>>;
  /** A path with its query, and the body as it came. */
  getText(path: string): Promise<string>;
  /** A list's CSV, all pages under one header line, or as many rows. */
  getCsv(path: ListPath, query: URLSearchParams, rowsMax?: number): Promise<string>;
  post<Path extends PostPath>(
    path: Path,
    body: unknown,
    question?: Question,
  ): Promise<Answers[`POST ${Path}`]>;
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
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const config = loadCollectorConfig(terminal.env);
  const collector = await findCollector(config);
  return createClient(
    collector === null
      ? await (await import('./own-store.ts')).openOwnStore(config, terminal)
      : httpTransport(collector),
  );
}

function createClient(transport: Transport): LedgerClient {
  const request = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await transport.request(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
    );
    if (answer.status !== 200) {
      throw new RefusedError(
        answer.status,
        messageOf(answer.body) ?? `The collector answered ${answer.status}.`,
      );
    }
    return answer;
  };
  const get: LedgerClient['get'] = async (path, question) =>
    JSON.parse((await request('GET', pathOf(path, question))).body);
  return {
    get,
    async getAll(path, query) {
      const first = await get(path, { query: pageOf(query) });
      const rows: unknown[] = [...first.rows];
      let { next } = first;
      for (let page = 1; next !== null && page < pagesMax; page++) {
        const more: List = await get(path, { query: pageOf(query, next) });
        rows.push(...more.rows);
        next = more.next;
      }
      return { ...first, rows };
    },
    getAnyway: async (path) => JSON.parse((await transport.request('GET', path)).body),
    getText: async (path) => (await request('GET', path)).body,
    getCsv: (path, query, rowsMax = Number.POSITIVE_INFINITY) =>
      getCsvPages(pathOf(path, { query }), rowsMax, (page) => request('GET', page)),
    post: async (path, body, question) =>
      JSON.parse((await request('POST', pathOf(path, question), body)).body),
    close: () => transport.close(),
  };
}

function pathOf(path: string, { params = {}, query }: Question = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  return query === undefined || query.size === 0 ? filled : `${filled}?${query}`;
}

function pageOf(query: URLSearchParams | undefined, cursor?: string): URLSearchParams {
  const page = new URLSearchParams(query);
  page.set('limit', String(pageRows));
  if (cursor !== undefined) page.set('cursor', cursor);
  return page;
}

/** A page may end before it is full, and the list go on. */
async function getCsvPages(
  path: string,
  rowsMax: number,
  request: (path: string) => ReturnType<Transport['request']>,
): Promise<string> {
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

function limited(path: string, rows: number): string {
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
    return typeof message === 'string'
      ? typeof field === 'string' && !message.includes(field)
        ? `${field}: ${message}`
        : message
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}
