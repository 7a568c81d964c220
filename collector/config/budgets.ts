/**
 * Budgets, from `config.json`:
 *
 *     "budgets": [
 *       { "name": "shop", "project": "shop",
 *         "per": "month", "limit": 200, "in": "metered dollars" },
 *       { "name": "plan", "provider": "anthropic",
 *         "per": "5h window", "limit": 90, "in": "percent" },
 *       { "name": "sprint", "per": "14 days", "from": "2026-11-02",
 *         "limit": 500, "in": "metered dollars" }
 *     ]
 *
 * Each problem is named with its key and what was expected; a budget with a problem is left out.
 */
import type { BudgetDefinition } from '@pi-ledger/contract';
import { readLabelWords } from '@pi-ledger/contract/settings/labels';
import type { Complain, ValueReader } from '@pi-ledger/contract/settings/plain-readers';
import { isDay } from '@pi-ledger/core/time/day';
import { openTimeZone } from '@pi-ledger/core/time/time-zone';
import {
  amountOf,
  amountText,
  type BudgetUnit,
  daysOfPer,
  isOfWindow,
  type NamedBudget,
  nameBudget,
} from '../answers/budgets/definition.ts';
import { isRecord, readText } from './rule-texts.ts';

const budgetsMax = 100;
const nameCharsMax = 100;
const pers = ['day', 'week', 'month', '5h window', 'week window'];
const daysMax = 366;
const units: readonly BudgetUnit[] = ['metered dollars', 'list-price dollars', 'tokens', 'percent'];
const scopeKeys = ['project', 'user', 'model', 'provider', 'label'] as const;
const termKeys = ['limit', 'in', 'raisedTo', 'raisedUntil', 'warnAt', 'warnByForecast'];
const keys = [
  ...[...scopeKeys, 'name', 'per', 'from', ...termKeys],
  ...['hard', 'endsHeadlessRuns', 'verifiedOnly', 'timeZone'],
];
const warnAtDefault = 80;

export const budgetsReader: ValueReader<readonly NamedBudget[]> = {
  read(value, complain) {
    if (!Array.isArray(value)) return undefined;
    const seen = new Set<string>();
    value.slice(budgetsMax).forEach((each: unknown, index) => {
      const name = isRecord(each) ? each.name : each;
      complain(`budgets[${budgetsMax + index}]`, name, `no more than ${budgetsMax} budgets`);
    });
    return value.slice(0, budgetsMax).flatMap((each: unknown, index) => {
      const key = `budgets[${index}]`;
      const budget = readBudget(each, key, complain);
      if (budget === null) return [];
      if (!seen.has(budget.name)) return [seen.add(budget.name) && budget];
      complain(`${key}.name`, budget.name, 'a name that no other budget has');
      return [];
    });
  },
  expected: `a list of up to ${budgetsMax} budgets`,
};

function readBudget(value: unknown, key: string, complain: Complain): NamedBudget | null {
  if (!isRecord(value)) {
    complain(key, value, 'an object with "name", "per", "limit" and "in"');
    return null;
  }
  let isWhole = true;
  const note: Complain = (...problem) => {
    isWhole = false;
    complain(...problem);
  };
  for (const [name, other] of Object.entries(value).filter(([name]) => !keys.includes(name)))
    note(`${key}.${name}`, other, `no such key: a budget has ${keys.join(', ')}`);
  const name = readText(
    value.name,
    `${key}.name`,
    isName,
    'a name without control characters',
    note,
    nameCharsMax,
  );
  const per = readPer(value.per, `${key}.per`, note);
  const from = readFrom(value.from, per, `${key}.from`, note);
  const unit = readChoice(units, value.in, `${key}.in`, note);
  const scope = readScope(value, key, note);
  const terms = readTerms(value, unit, key, note);
  if (name === null || per === null || unit === null || terms === null) return null;
  const definition = { ...scope, per, ...from, unit, ...terms };
  checkWindow(definition, key, note);
  return isWhole ? nameBudget(name, definition) : null;
}

function readPer(value: unknown, key: string, complain: Complain): string | null {
  const days = typeof value === 'string' ? daysOfPer(value.trim()) : null;
  if (days !== null && days >= 2 && days <= daysMax) return `${days} days`;
  return readChoice(pers, value, key, (at, found, expected) =>
    complain(at, found, `${expected} or a number of days from "2 days" to "${daysMax} days"`),
  );
}

/** Only of a budget per so many days, which needs it: its periods begin on no other day. */
function readFrom(
  value: unknown,
  per: string | null,
  key: string,
  complain: Complain,
): { readonly from?: string } {
  const isNeeded = per !== null && daysOfPer(per) !== null;
  if (isNeeded && typeof value === 'string' && isDay(value)) return { from: value };
  if (isNeeded) complain(key, value, `the first day of a period of ${per}, such as "2026-11-02"`);
  else if (value != null) complain(key, value, 'nothing: only a budget per days has a first one');
  return {};
}

type Scope = Record<(typeof scopeKeys)[number], string | null>;

function readScope(value: Record<string, unknown>, key: string, complain: Complain): Scope {
  const of = (name: keyof Scope, isFit: (text: string) => boolean, expected: string) =>
    value[name] == null ? null : readText(value[name], `${key}.${name}`, isFit, expected, complain);
  return {
    project: of('project', () => true, 'a project'),
    user: of('user', () => true, 'a user'),
    model: of('model', () => true, 'a model'),
    provider: of('provider', () => true, 'a provider'),
    label: of('label', isLabel, 'a label such as "team=checkout"'),
  };
}

function readTerms(
  value: Record<string, unknown>,
  unit: BudgetUnit | null,
  key: string,
  complain: Complain,
) {
  const limit = unit === null ? null : readLimit(value.limit, unit);
  if (limit === null)
    complain(`${key}.limit`, value.limit, unit === 'tokens' ? wholeLimit : anyLimit);
  const raised = readRaised(value, limit, unit, key, complain);
  const { warnAt = warnAtDefault, warnByForecast = false, hard = false } = value;
  const { endsHeadlessRuns = false, verifiedOnly = false, timeZone = ownZone() } = value;
  if (!Number.isInteger(warnAt) || Number(warnAt) < 1 || Number(warnAt) > 100)
    complain(`${key}.warnAt`, warnAt, 'a whole number of percent from 1 to 100');
  const isLikely = readWish(warnByForecast, `${key}.warnByForecast`, complain);
  const isHard = readWish(hard, `${key}.hard`, complain);
  const isEnd = readWish(endsHeadlessRuns, `${key}.endsHeadlessRuns`, complain);
  if (typeof timeZone !== 'string' || openTimeZone(timeZone) === null)
    complain(`${key}.timeZone`, timeZone, 'the name of a time zone, such as "Europe/Berlin"');
  const isVerified = readWish(verifiedOnly, `${key}.verifiedOnly`, complain);
  if (limit === null) return null;
  return {
    ...{ limit, warnAt: Number(warnAt), isHard, timeZone: String(timeZone) },
    // Said only where they are so: definitions from before they were there keep their version.
    ...(isLikely ? { warnByForecast: true } : {}),
    ...(isEnd ? { endsHeadlessRuns: true } : {}),
    ...(isVerified ? { verifiedOnly: true } : {}),
    ...raised,
  };
}

/** Both or neither: a limit that is raised for ever is the limit. */
function readRaised(
  { raisedTo, raisedUntil }: Record<string, unknown>,
  limit: string | null,
  unit: BudgetUnit | null,
  key: string,
  complain: Complain,
): Pick<BudgetDefinition, 'raisedTo' | 'raisedUntil'> {
  if (raisedTo == null && raisedUntil == null) return {};
  const to = unit === null ? null : readLimit(raisedTo, unit);
  const isMore = to !== null && limit !== null && Number(to) > Number(limit);
  if (!isMore) complain(`${key}.raisedTo`, raisedTo, 'a number above "limit"');
  const isUntil = typeof raisedUntil === 'string' && isDay(raisedUntil);
  if (!isUntil)
    complain(`${key}.raisedUntil`, raisedUntil, 'the last day of it, such as "2026-11-30"');
  return isMore && isUntil ? { raisedTo: to, raisedUntil } : {};
}

function readWish(value: unknown, key: string, complain: Complain): boolean {
  if (typeof value !== 'boolean') complain(key, value, 'true or false');
  return value === true;
}

const wholeLimit = 'a whole number above 0';
const anyLimit = 'a number above 0 with up to 9 decimal places';
const limitMax = 1_000_000_000_000_000;

function readLimit(value: unknown, unit: BudgetUnit): string | null {
  if (typeof value !== 'number' || !(value > 0) || value > limitMax) return null;
  const amount = amountOf(String(value), unit);
  return amount === null ? null : amountText(amount, unit);
}

/** A window is a plan's: of a provider and a user, as percent. */
function checkWindow(
  definition: Scope & Pick<BudgetDefinition, 'per' | 'unit' | 'warnByForecast' | 'verifiedOnly'>,
  key: string,
  complain: Complain,
): void {
  const { per, unit } = definition;
  const isWindow = isOfWindow(definition);
  if (isWindow !== (unit === 'percent'))
    complain(
      `${key}.in`,
      unit,
      isWindow
        ? `"percent", for a ${per}`
        : 'another unit: percent are of a "5h window" or a "week window"',
    );
  if (!isWindow) return;
  if (definition.warnByForecast === true)
    complain(`${key}.warnByForecast`, true, 'false: there is no forecast of a window');
  if (definition.verifiedOnly === true)
    complain(`${key}.verifiedOnly`, true, 'false: a window is what its provider tells of it');
  for (const name of ['project', 'model', 'label'] as const)
    if (definition[name] !== null)
      complain(`${key}.${name}`, definition[name], 'nothing: a window is of "provider" and "user"');
}

function readChoice<Value extends string>(
  values: readonly Value[],
  value: unknown,
  key: string,
  complain: Complain,
): Value | null {
  const text = typeof value === 'string' ? value.trim() : value;
  const found = values.find((each) => each === text) ?? null;
  if (found === null) complain(key, value, values.map((each) => `"${each}"`).join(', '));
  return found;
}

function isName(text: string): boolean {
  return text.trim() === text && /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text);
}

function isLabel(text: string): boolean {
  const read = readLabelWords([text]);
  return typeof read !== 'string' && Object.values(read).every((value) => value !== null);
}

/** A budget that names no zone gets this process's, which is written into its definition. */
function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
