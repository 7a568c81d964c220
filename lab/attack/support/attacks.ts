/** The grammar of attacks: requests made from what the document says, and then spoilt. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { exampleEvents } from '../../../test/collector/support/events.ts';
import { catalogue } from '../../../test/collector/support/two-people.ts';
import { type CallerName, callerNames } from './collector.ts';
import type { Described, Operation } from './document.ts';
import { likelyTexts } from './hostile-text.ts';
import { bodyText, hostileText, valueFor } from './values.ts';

export interface Attack {
  readonly method: string;
  /** Latin-1: one byte for each character. */
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: Buffer | null;
  readonly caller: CallerName;
  /** As it stands in the document. */
  readonly operation: string;
  /** What a token needs; undefined: another path or method than the document's. */
  readonly scope: string | null | undefined;
}

/** Streams have no end: other tests have them. */
const isAnswered = ({ path }: Operation): boolean => path !== '/v1/live';

export function attacks(described: Described): fc.Arbitrary<Attack> {
  return fc
    .constantFrom(...described.operations.filter(isAnswered))
    .chain((operation) => attackOn(operation, described));
}

/** As `attacks`, as the document has them, and only what is in the target. */
export function questions(described: Described): fc.Arbitrary<Attack> {
  return fc.constantFrom(...described.operations).chain((operation) =>
    fc.tuple(pathOf(operation, described), queryOf(operation, described)).map(([path, query]) => ({
      ...{ method: operation.method, target: query === '' ? path : `${path}?${query}` },
      ...{ headers: [], body: null, caller: 'own' as const },
      ...{ operation: `${operation.method} ${operation.path}`, scope: operation.scope },
    })),
  );
}

function attackOn(operation: Operation, described: Described): fc.Arbitrary<Attack> {
  return fc
    .record({
      path: pathOf(operation, described),
      trick: often(fc.constant('none' as Trick), fc.constantFrom(...tricks)),
      query: queryOf(operation, described),
      method: often(fc.constant(operation.method), fc.constantFrom(...otherMethods)),
      headers: fc.subarray([...otherHeaders], { maxLength: 3 }),
      content: contentOf(operation, described),
      caller: fc.oneof(fc.constantFrom('machine', 'admin', 'read', 'own'), anyCaller),
    })
    .map(({ path, trick, query, method, headers, content, caller }) => ({
      method,
      target: trickOf[trick](path) + (query === '' ? '' : `?${query}`),
      headers: [...headers, ...(content?.headers ?? [])],
      body: content?.body ?? null,
      caller,
      operation: `${operation.method} ${operation.path}`,
      scope: trick === 'none' && method === operation.method ? operation.scope : undefined,
    }));
}

const anyCaller = fc.constantFrom(...callerNames);

function often<Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

/** As browsers do; with lone surrogates as their bytes, which is no UTF-8. */
function percent(text: string): string {
  return [...text]
    .map((character) =>
      /[\ud800-\udfff]/.test(character) && character.length === 1
        ? '%ED%A0%80'
        : encodeURIComponent(character),
    )
    .join('');
}

/** Raw, but for what ends a request line. */
const barely = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[\0-\x20#]/g, percent);

const encoders = [percent, percent, percent, barely, (text: string) => percent(percent(text))];
const encoder = fc.constantFrom(...encoders);

function pathOf({ path, parameters }: Operation, described: Described): fc.Arbitrary<string> {
  const values = parameters
    .filter((each) => each.in === 'path')
    .map(({ name, schema }) =>
      fc
        .tuple(fc.oneof(valueFor(schema, described, name), hostileText), encoder)
        .map(([value, encode]) => [`{${name}}`, encode(String(value))] as const),
    );
  return fc
    .tuple(...values)
    .map((filled) => filled.reduce((made, [name, text]) => made.replace(name, () => text), path));
}

const tricks = ['none', 'slashes', 'up', 'encodedUp', 'nul', 'semicolon', 'case', 'back'] as const;
type Trick = (typeof tricks)[number] | 'absolute';
const trickOf: Readonly<Record<Trick, (path: string) => string>> = {
  none: (path) => path,
  slashes: (path) => `/${path}`,
  up: (path) => `/assets/..${path}`,
  encodedUp: (path) => `/health/%2e%2e${path}`,
  nul: (path) => `${path}%00`,
  semicolon: (path) => `${path};x=1`,
  case: (path) => path.toUpperCase(),
  back: (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  absolute: (path) => `http://localhost${path}`,
};

const otherMethods = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'],
  ...['PROPFIND', 'LOCK', 'QUERY', 'M-SEARCH', 'PURGE'],
];

const otherHeaders = [
  ...['Accept: text/csv', 'Accept: */*;q=NaN', 'Accept: application/x-ndjson, text/csv;q=2'],
  ...['Accept-Encoding: gzip', 'Accept-Encoding: br;q=0, gzip;q=x', 'Accept: \xff\xfe'],
  ...['Range: bytes=0-1', 'If-None-Match: *', 'X-HTTP-Method-Override: DELETE'],
  ...['X-Original-URL: /v1/tokens', 'X-Forwarded-For: ::1', 'Forwarded: for="[::1]"'],
  ...['Cookie: a=b', 'Origin: null', 'Sec-Fetch-Site: cross-site', 'Expect: 100-continue'],
  ...[`X-Long: ${'h'.repeat(9_000)}`, 'Content-Type: application/json; charset=utf-7'],
  ...['Content-Encoding: gzip', 'Content-Encoding: br', 'TE: trailers', 'Upgrade: h2c'],
] as const;

function queryOf({ parameters }: Operation, described: Described): fc.Arbitrary<string> {
  const known = parameters.filter((each) => each.in === 'query');
  const own = known.map(({ name, schema, required }) => {
    const likely = fc.constantFrom(...(likelyTexts[name] ?? ['ada']));
    const one = fc.oneof(valueFor(schema, described, name), likely, hostileText);
    const some = fc.array(one, { minLength: required ? 1 : 0, maxLength: 2 });
    const given = required ? some : often<unknown[]>(fc.constant([]), some);
    return given.map((values) => values.flat().map((value) => [name, String(value)] as const));
  });
  const foreign = fc.tuple(fc.oneof(fc.constant('__proto__'), hostileText), hostileText);
  const others = often<Pairs>(fc.constant([]), fc.array(foreign, { minLength: 1, maxLength: 2 }));
  return fc
    .tuple(encoder, others, pickedOf(own))
    .map(([encode, unknown, asked]) =>
      [...asked, ...unknown].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'),
    );
}

type Pairs = readonly (readonly [string, string])[];

/** Some of the parameters: one at least, where there are any. */
function pickedOf(own: readonly fc.Arbitrary<Pairs>[]): fc.Arbitrary<Pairs> {
  if (own.length === 0) return fc.constant([]);
  const all = fc.tuple(...own);
  return all.map((pairs) => pairs.flat());
}

/** The document says only that it is an object. */
const priceLists = fc.constantFrom(
  JSON.stringify(catalogue),
  JSON.stringify(catalogue).replaceAll(/\d[\d.]*/g, '1e308'),
  JSON.stringify(catalogue).replaceAll(/\d[\d.]*/g, '-1'),
  JSON.stringify(catalogue).replaceAll('anthropic', '__proto__'),
);

interface Content {
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const eventPaths = ['/v1/events', '/v1/log'];

function contentOf(operation: Operation, described: Described): fc.Arbitrary<Content | null> {
  const { method, path, body } = operation;
  if (method === 'GET') return often(fc.constant(null), fc.constant(json('{}')));
  const fitting = bodyText(body ?? {}, described);
  if (eventPaths.includes(path)) return eventContent(fitting);
  const text = path === '/v1/reprice' ? fc.oneof(priceLists, fitting) : fitting;
  return often(
    text.map(json),
    text.map((content) => ({ headers: ['Content-Type: text/plain'], body: Buffer.from(content) })),
  );
}

function json(text: string): Content {
  return { headers: ['Content-Type: application/json'], body: Buffer.from(text) };
}

const batchHeader = 'Content-Type: application/cloudevents-batch+json';
const event = JSON.stringify(exampleEvents(90_000, 1)[0]);

/** Bodies of events have a fuzzer of their own: these are few, and of hostile shapes. */
const eventContent = (fitting: fc.Arbitrary<string>): fc.Arbitrary<Content> =>
  fc.tuple(fitting, fc.nat(3)).map(([text, kind]) => {
    const body = [text, `[${text}]`, `[${event},${text}]`, event][kind] ?? '';
    const isZipped = text.length % 3 === 0;
    return {
      headers: [batchHeader, ...(isZipped ? ['Content-Encoding: gzip'] : [])],
      body: isZipped ? gzipSync(body) : Buffer.from(body),
    };
  });
