/**
 * How a command asks the ledger: always through the HTTP API. A running collector answers over its
 * socket; without one, this process opens the store and asks the same routes in memory.
 */
import type { Answers, PathOf } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import { type FoundCollector, findCollector, httpTransport } from './running-collector.ts';
import type { ClientTransport } from './transport.ts';

type GetPath = PathOf<'GET'>;
export type ListPath = {
  [Path in GetPath]: Answers[`GET ${Path}`] extends List ? Path : never;
}[GetPath];
type PostPath = PathOf<'POST'>;

interface List {
  readonly rows: readonly unknown[];
  readonly next: string | null;
}

interface Question {
  /** For the names in braces in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: URLSearchParams;
}

/**
 * Answers have the contract's types, unchecked: a collector of another version may leave a field
 * out, and code says so where that matters.
 */
export interface LedgerClient {
  /** The address of the collector, if the user named one; null: the ledger of this machine. */
  readonly source: string | null;
  /** The address of the collector that answers; null: this process reads the store itself. */
  readonly collector: string | null;
  /** Rejects with the API's own message if the answer is an error. */
  get<Path extends GetPath>(path: Path, question?: Question): Promise<Answers[`GET ${Path}`]>;
  /** Like `get`, with the `rows` of all pages in one list. */
  getAll<Path extends ListPath>(
    path: Path,
    query?: URLSearchParams,
  ): Promise<Answers[`GET ${Path}`]>;
  /** Like `get`, whatever the status. */
  getAnyway<Path extends GetPath>(path: Path): Promise<Partial<Answers[`GET ${Path}`]>>;
  /** Takes a path with its query, and returns the body as it came. */
  getText(path: string): Promise<string>;
  /** All pages of a list as CSV under one header line, at most `rowsMax` rows. */
  getCsv(path: ListPath, query: URLSearchParams, rowsMax?: number): Promise<string>;
  post<Path extends PostPath>(
    path: Path,
    body: unknown,
    question?: Question,
  ): Promise<Answers[`POST ${Path}`]>;
  close(): Promise<void>;
}

/** The API answered with an error: its message and its status. */
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

/** Asks the ledger for the length of `ask`, and closes the connection or store afterwards. */
export async function withLedger<Result>(
  terminal: Terminal,
  ask: (client: LedgerClient) => Promise<Result>,
): Promise<Result> {
  const client = await openLedgerClient(terminal);
  try {
    return await ask(client);
  } finally {
    await client.close();
  }
}

export async function openLedgerClient(terminal: Terminal): Promise<LedgerClient> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const config = loadCollectorConfig(terminal.env);
  const collector = await findCollector(config);
  return createClient(
    collector === null
      ? await (await import('./own-store.ts')).openOwnStore(config, terminal)
      : httpTransport(collector),
    collector,
  );
}

function createClient(transport: ClientTransport, collector: FoundCollector | null): LedgerClient {
  const request = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await transport.request(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
    );
    if (answer.status !== 200) {
      throw new RefusedError(
        answer.status,
        readMessage(answer.body) ?? `The collector answered with status ${answer.status}.`,
      );
    }
    return answer;
  };
  const get: LedgerClient['get'] = async (path, question) =>
    JSON.parse((await request('GET', withQuestion(path, question))).body);
  return {
    source: collector?.isUrlNamed ? collector.url : null,
    collector: collector?.url ?? null,
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
      getCsvPages(withQuestion(path, { query }), rowsMax, (page) => request('GET', page)),
    post: async (path, body, question) =>
      JSON.parse((await request('POST', withQuestion(path, question), body)).body),
    close: () => transport.close(),
  };
}

function withQuestion(path: string, { params = {}, query }: Question = {}): string {
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

/** A page may end early although the list goes on. */
async function getCsvPages(
  path: string,
  rowsMax: number,
  request: (path: string) => ReturnType<ClientTransport['request']>,
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

/** Not counting the header; a quoted cell may hold line ends. */
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
function readMessage(body: string): string | null {
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
