/**
 * The user's own limits of a plan, from `config.json`:
 *
 *     "quota": {
 *       "anthropic": [
 *         { "window": "5h", "limit": 900, "in": "messages", "starts": "first use" },
 *         { "window": "week", "limit": 140, "in": "list-price dollars" }
 *       ]
 *     }
 *
 * Each problem is named with its key and what was expected; a limit with a problem is left out.
 */
import type { Complain, ValueReader } from '@pi-ledger/contract/settings/plain-readers';
import {
  type OwnLimit,
  type OwnLimits,
  quotaUnits,
  windowMsOf,
  windowStarts,
} from '../answers/quota/limits.ts';

const windowsMax = 10;
const windowMsMin = 3_600_000;
const windowMsMax = 31 * 24 * 3_600_000;

export const quotaReader: ValueReader<OwnLimits> = {
  read(value, complain) {
    if (!isRecord(value)) return undefined;
    const entries = Object.entries(value).map(([provider, limits]) => [
      provider,
      readLimits(limits, `quota.${provider}`, complain),
    ]);
    return Object.fromEntries(entries);
  },
  expected: 'lists of limits by provider',
};

function readLimits(value: unknown, key: string, complain: Complain): readonly OwnLimit[] {
  if (!Array.isArray(value) || value.length > windowsMax) {
    complain(key, value, `a list of up to ${windowsMax} limits`);
    return [];
  }
  return value.flatMap((limit: unknown, index) => readLimit(limit, `${key}[${index}]`, complain));
}

function readLimit(value: unknown, key: string, complain: Complain): readonly OwnLimit[] {
  if (!isRecord(value)) {
    complain(key, value, 'an object with "window", "limit" and "in"');
    return [];
  }
  const { window, limit, in: unit, starts = 'rolling', ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    complain(
      `${key}.${unknown}`,
      others[unknown],
      'no such key: a limit has "window", "limit", "in" and "starts"',
    );
  const windowMs = readWindow(window, `${key}.window`, complain);
  const known = quotaUnits.find((each) => each === unit);
  if (known === undefined) complain(`${key}.in`, unit, listChoices(quotaUnits));
  const start = windowStarts.find((each) => each === starts);
  if (start === undefined) complain(`${key}.starts`, starts, listChoices(windowStarts));
  const isLimit = typeof limit === 'number' && limit > 0 && limit <= Number.MAX_SAFE_INTEGER;
  if (!isLimit) complain(`${key}.limit`, limit, 'a number above 0');
  return windowMs === null || known === undefined || start === undefined || !isLimit
    ? []
    : [{ window: String(window), windowMs, limit, unit: known, starts: start }];
}

function readWindow(value: unknown, key: string, complain: Complain): number | null {
  const windowMs = typeof value === 'string' ? windowMsOf(value) : null;
  if (windowMs !== null && windowMs >= windowMsMin && windowMs <= windowMsMax) return windowMs;
  complain(key, value, '"5h", "24h", "7d", "week" or the like, from an hour to 31 days');
  return null;
}

function listChoices(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' or ');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
