/**
 * Extracts rate limits from a provider's response headers: numbers and times, found by an
 * allow-list of names. Pure.
 *
 *     anthropic-ratelimit-<window>-<measure>   requests, input-tokens, ..., unified, unified-7d
 *     x-ratelimit-<measure>[-<window>]         OpenAI and compatible: requests, tokens-minute, ...
 *     x-codex-<primary|secondary>-<measure>    ChatGPT plans (codex-limits.ts)
 *     retry-after, retry-after-ms
 *
 * Guarantees: no other header is read, and only numbers, times or one of three words come out. A
 * window's name may only consist of known words, since a provider could put an account name there.
 */
import type { RateLimit } from '@pi-ledger/contract';
import { asObject } from '../../../core/record/fields.ts';
import { codexLimits } from './codex-limits.ts';
import { amountOf, resetOf, waitOf } from './header-values.ts';

export interface ToldLimits {
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
    const header = headerOf(name);
    if (header !== null) note(windows, header, value, nowMs);
    else retryAfterMs ??= retryAfterOf(name, value, nowMs);
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

function headerOf(name: string): Header | null {
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

function retryAfterOf(name: string, value: string, nowMs: number): number | null {
  if (name === 'retry-after') return waitOf(value, nowMs);
  return name === 'retry-after-ms' ? amountOf(value) : null;
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
  if (measure === 'reset') limit.resetAtMs = resetOf(value, nowMs);
  else if (measure === 'status')
    limit.status =
      value === 'allowed' || value === 'allowed_warning' || value === 'rejected' ? value : null;
  else limit[measure] = amountOf(value);
}

function saysAnything({ limit, remaining, utilization, resetAtMs, status }: RateLimit): boolean {
  return (limit ?? remaining ?? utilization ?? resetAtMs ?? status) !== null;
}
