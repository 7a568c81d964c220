/**
 * What providers said of their windows: the newest statement of each user, provider and window.
 *
 * - A statement belongs to the user of the session in whose responses it was made.
 * - After the window's end it says nothing any more: the next one has begun.
 * - Windows shorter than an hour are rate limits of an interface, no quota of a plan.
 */
import type { QuotaWindow } from '@pi-ledger/contract/answers';
import { type QuotaStatement, quota } from '../../projections/quota.ts';
import { sessions } from '../../projections/sessions.ts';
import type { ViewDocument, ViewsReader } from '../../views/views.ts';
import { fullAtMs } from './forecast.ts';
import { windowName } from './limits.ts';

export interface ToldViews {
  /** All of them: the caller's limits hold for the sessions. */
  readonly all: ViewsReader;
  readonly visible: ViewsReader;
}

const hourMs = 3_600_000;
/** Longer than the longest window that is usual, a week. */
const heardWithinMs = 8 * 24 * hourMs;
const documentsMax = 10_000;
const documentsPerQuery = 500;

export async function toldWindows(
  views: ToldViews,
  nowMs: number,
): Promise<readonly QuotaWindow[]> {
  const newest = new Map<string, Told>();
  for await (const told of statements(views, nowMs)) {
    const { user, statement } = told;
    const key = JSON.stringify([user, statement.provider, statement.window]);
    const known = newest.get(key);
    if (known === undefined || statement.time > known.statement.time) newest.set(key, told);
  }
  return [...newest.values()].flatMap((told) => windowOf(told, nowMs));
}

interface Told {
  readonly user: string;
  readonly machine: string;
  readonly session: string;
  readonly statement: QuotaStatement;
}

/** Those of the newest sessions, up to `documentsMax` of them. */
async function* statements({ all, visible }: ToldViews, nowMs: number): AsyncGenerator<Told> {
  const since = new Date(nowMs - heardWithinMs).toISOString();
  let after: { readonly value: string; readonly key: string } | null = null;
  for (let seen = 0; seen < documentsMax; seen += documentsPerQuery) {
    const found: readonly ViewDocument[] = await all.find(quota, {
      where: [{ column: 'toldAt', is: 'from', values: [since] }],
      orderBy: { column: 'toldAt', descending: true },
      limit: documentsPerQuery,
      ...(after === null ? {} : { after }),
    });
    const owners = await ownersOf(visible, found);
    for (const { key, body } of found) {
      const owner = owners.get(key);
      if (owner === undefined) continue;
      for (const statement of quota.decode(body).statements.values())
        yield { ...owner, session: key, statement };
    }
    const last = found.at(-1);
    if (last === undefined || found.length < documentsPerQuery) return;
    after = { value: String(last.columns.toldAt), key: last.key };
  }
}

type Owner = Pick<Told, 'user' | 'machine'>;

async function ownersOf(
  visible: ViewsReader,
  documents: readonly ViewDocument[],
): Promise<ReadonlyMap<string, Owner>> {
  const found = await visible.find(sessions, {
    where: [{ column: 'key', is: 'in', values: documents.map(({ key }) => key) }],
    orderBy: { column: 'key', descending: false },
    limit: Math.max(1, documents.length),
    bodies: false,
  });
  return new Map(
    found.map(({ key, columns: { user, machine } }) => [
      key,
      { user: String(user ?? ''), machine: String(machine ?? '') },
    ]),
  );
}

function windowOf({ user, machine, session, statement }: Told, nowMs: number): QuotaWindow[] {
  const { provider, window, time, resetAtMs, status } = statement;
  const toldMs = Date.parse(time);
  const windowMs = lengthOf(window);
  const endsMs = resetAtMs ?? (windowMs === null ? null : toldMs + windowMs);
  if ((windowMs ?? (endsMs ?? toldMs) - toldMs) < hourMs) return [];
  const share = shareOf(statement);
  if (share === null && (status === null || status === 'allowed')) return [];
  const isCurrent = endsMs !== null && endsMs > nowMs;
  const startsMs = resetAtMs === null || windowMs === null ? null : resetAtMs - windowMs;
  const progress = { usedShare: share, startsAtMs: startsMs, endsAtMs: resetAtMs, atMs: toldMs };
  const said = isCurrent
    ? {
        status,
        ...amountsOf(statement),
        usedShare: share,
        startsAt: isoOf(startsMs),
        endsAt: isoOf(resetAtMs),
        fullAt: isoOf(fullAtMs(progress)),
      }
    : nothingSaid;
  return [
    {
      user: user === '' ? null : user,
      provider: provider === '' ? null : provider,
      window,
      name: nameOf(window),
      windowMs,
      source: 'provider',
      toldAt: time,
      machine: machine === '' ? null : machine,
      session,
      starts: null,
      unit: null,
      isAtLeast: false,
      isStartEstimated: false,
      unpricedRecords: 0,
      unreportedRecords: 0,
      unknownBillingRecords: 0,
      worth: null,
      ...said,
    },
  ];
}

const nothingSaid = {
  status: null,
  used: null,
  limit: null,
  usedShare: null,
  startsAt: null,
  endsAt: null,
  fullAt: null,
};

function shareOf({ utilization, limit, remaining }: QuotaStatement): number | null {
  if (utilization !== null) return utilization;
  return limit === null || remaining === null || limit === 0
    ? null
    : Math.max(0, limit - remaining) / limit;
}

function amountsOf({ limit, remaining }: QuotaStatement): Pick<QuotaWindow, 'used' | 'limit'> {
  return {
    used: limit === null || remaining === null ? null : decimal(Math.max(0, limit - remaining)),
    limit: limit === null ? null : decimal(limit),
  };
}

/** Headers have at most 12 places. */
function decimal(amount: number): string {
  return amount.toFixed(12).replace(/\.?0+$/, '');
}

const unified = /^(?:unified|codex)-(\d{1,5}[mhd])(?:[-_](.+))?$/;
const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: hourMs, d: 24 * hourMs };
const named: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
};

/** `unified-5h`, `requests-day`: the length stands in the name. */
function lengthOf(window: string): number | null {
  const length = unified.exec(window)?.[1];
  if (length !== undefined) return Number(length.slice(0, -1)) * (unitMs[length.at(-1) ?? ''] ?? 0);
  return named[window.split(/[-_]/).at(-1) ?? ''] ?? null;
}

function nameOf(window: string): string {
  const [, length, rest] = unified.exec(window) ?? [];
  if (length === undefined) return window;
  const name = windowName(lengthOf(window) ?? 0);
  return rest === undefined ? name : `${name}, ${rest}`;
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
