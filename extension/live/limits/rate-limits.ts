/**
 * Extracts rate limits from a provider's response headers: numbers and times, found by an
 * allow-list of names. Pure.
 *
 *     anthropic-ratelimit-<window>-<measure>   requests, input-tokens, ..., unified, unified-7d
 *     x-ratelimit-<measure>[-<window>]         OpenAI and compatible: requests, tokens-minute, ...
 *     x-codex-<primary|secondary>-<measure>    ChatGPT plans
 *     retry-after, retry-after-ms
 *
 * Guarantees: no other header is read, and only numbers, times or one of three words come out. A
 * window's name may only consist of known words, since a provider could put an account name there.
 */
import type { RateLimit } from '@pi-ledger/contract';
import { asCount, asObject } from '../../../core/record/fields.ts';

interface ToldLimits {
  readonly retryAfterMs: number | null;
  readonly limits: RateLimit[];
}

/** `nowMs`: some times are relative. Contract: never throws. */
export function limitsIn(headers: unknown, nowMs: number): ToldLimits {
  const windows = new Map<string, RateLimit>();
  const texts = new Map<string, string>();
  let retryAfterMs: number | null = null;
  for (const [key, value] of Object.entries(asObject(headers) ?? {})) {
    if (key.length > nameCharsMax || typeof value !== 'string' || value.length > valueCharsMax)
      continue;
    const name = key.toLowerCase();
    if (name.startsWith('x-codex-')) texts.set(name, value);
    const header = parseHeader(name);
    if (header !== null) note(windows, header, value, nowMs);
    else retryAfterMs ??= parseRetryAfter(name, value, nowMs);
  }
  const limits = [...windows.values(), ...codexLimits(texts, nowMs)].filter(saysAnything);
  return { retryAfterMs, limits: limits.slice(0, windowsMax) };
}

const nameCharsMax = 80;
const valueCharsMax = 60;
/** The contract's limit. */
const windowsMax = 16;

type Measure = 'limit' | 'remaining' | 'reset' | 'utilization' | 'status';

interface Header {
  readonly window: string;
  readonly measure: Measure;
}

const anyWord = String.raw`(?:[a-z]{1,20}|\d{1,3}[smhd])`;
const anthropic = new RegExp(
  `^anthropic-ratelimit-(${anyWord}(?:[-_]${anyWord}){0,3})-` +
    '(limit|remaining|reset|utilization|status)$',
);
const words =
  'requests?|req|tokens?|input|output|cached|images?|audio|project|' +
  String.raw`second|minute|hour|day|week|month|\d{1,3}[smhd]`;
const usual = new RegExp(
  `^x-ratelimit-(limit|remaining|reset)(?:-((?:${words})(?:[-_](?:${words})){0,3}))?$`,
);

function parseHeader(name: string): Header | null {
  if (name.startsWith('x-ratelimit-')) {
    const [, measure, window = 'default'] = usual.exec(name) ?? [];
    return measure === undefined ? null : { window, measure: measure as Measure };
  }
  const [, window, measure] = name.startsWith('anthropic-ratelimit-')
    ? (anthropic.exec(name) ?? [])
    : [];
  return window === undefined || measure === undefined
    ? null
    : { window, measure: measure as Measure };
}

function parseRetryAfter(name: string, value: string, nowMs: number): number | null {
  if (name === 'retry-after') return parseWait(value, nowMs);
  return name === 'retry-after-ms' ? parseAmount(value) : null;
}

function note(
  windows: Map<string, RateLimit>,
  { window, measure }: Header,
  value: string,
  nowMs: number,
): void {
  if (windows.size >= windowsMax && !windows.has(window)) return;
  const limit = windows.get(window) ?? {
    window,
    limit: null,
    remaining: null,
    utilization: null,
    resetAtMs: null,
    status: null,
  };
  windows.set(window, limit);
  if (measure === 'reset') limit.resetAtMs = parseReset(value, nowMs);
  else if (measure === 'status')
    limit.status =
      value === 'allowed' || value === 'allowed_warning' || value === 'rejected' ? value : null;
  else limit[measure] = parseAmount(value);
}

function saysAnything({ limit, remaining, utilization, resetAtMs, status }: RateLimit): boolean {
  return (limit ?? remaining ?? utilization ?? resetAtMs ?? status) !== null;
}

// The two windows of a ChatGPT plan, as the Codex backend tells them in the headers of its answers:
// a share in percent, a length in minutes, and an end. Pure.
// x-codex-primary-used-percent: 42.5           0 to 100
// x-codex-primary-window-minutes: 300          0: there is no such window
// x-codex-primary-reset-at: 1795312800         or -reset-after-seconds: 9000

/** `headers`: by name in small letters. The window's name says its length: `codex-300m`. */
function codexLimits(headers: ReadonlyMap<string, string>, nowMs: number): RateLimit[] {
  return ['primary', 'secondary'].flatMap((place) => {
    const amount = (name: string): number | null =>
      parseAmount(headers.get(`x-codex-${place}-${name}`) ?? '');
    const percent = amount('used-percent');
    const minutes = amount('window-minutes');
    if (percent === null || minutes === 0) return [];
    const isLength = minutes !== null && Number.isInteger(minutes) && minutes <= minutesMax;
    const reset =
      headers.get(`x-codex-${place}-reset-at`) ||
      headers.get(`x-codex-${place}-reset-after-seconds`);
    return [
      {
        window: isLength ? `codex-${minutes}m` : `codex-${place}`,
        limit: null,
        remaining: null,
        utilization: percent / 100,
        resetAtMs: reset === undefined ? null : parseReset(reset, nowMs),
        status: null,
      },
    ];
  });
}

const minutesMax = 99_999;

// Numbers and times in the headers of rate limits, in each spelling that is usual. Pure.

function parseAmount(value: string): number | null {
  const amount = decimal.test(value) ? Number(value) : Number.NaN;
  return amount <= Number.MAX_SAFE_INTEGER ? amount : null;
}

const decimal = /^\d{1,16}(?:\.\d{1,12})?$/;

/** A time, an epoch in seconds or milliseconds, seconds from now, or a duration such as `6m0s`. */
function parseReset(value: string, nowMs: number): number | null {
  const number = parseAmount(value);
  if (number !== null && number >= epochMsMin) return asCount(number);
  if (number !== null && number >= epochSecondsMin) return asCount(number * 1_000);
  const wait = parseWait(value, nowMs) ?? parseDuration(value);
  return wait === null ? null : asCount(nowMs + wait);
}

/** No wait takes thirty years. */
const epochSecondsMin = 1_000_000_000;
const epochMsMin = 1_000_000_000_000;

/** Seconds, or a time (a past time is no wait). */
function parseWait(value: string, nowMs: number): number | null {
  const seconds = parseAmount(value);
  if (seconds !== null) return seconds * 1_000;
  const atMs = date.test(value) ? Date.parse(value) : Number.NaN;
  return atMs >= 0 ? Math.max(0, atMs - nowMs) : null;
}

/** RFC 3339 or HTTP date. */
const date = /^(?:\d{4}-\d\d-\d\dT|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} )/;

function parseDuration(value: string): number | null {
  const parts = value === '' ? null : duration.exec(value);
  if (parts === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + milliseconds;
}

const duration = new RegExp(
  [
    String.raw`^(?:(\d{1,5})d)?`,
    String.raw`(?:(\d{1,5})h)?`,
    String.raw`(?:(\d{1,6})m)?`,
    String.raw`(?:(\d{1,8}(?:\.\d{1,9})?)s)?`,
    String.raw`(?:(\d{1,9}(?:\.\d{1,6})?)ms)?$`,
  ].join(''),
);
