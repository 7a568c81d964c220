import type { LedgerEvent } from '@pi-ledger/contract';
import { dayMs } from '@pi-ledger/core/time/units';
import { type DemoUser, demoModels, demoProjects, demoUsers } from './cast.ts';
import { createQuota, type DemoQuota } from './quota.ts';
import { type Random, seededRandom } from './random.ts';
import { type DemoSessionPlan, demoSession } from './session.ts';

export interface DemoOptions {
  /** The last day that has sessions (UTC). */
  readonly until: Date;
  readonly days: number;
  readonly seed: number;
  /** A busy user has so many on an average working day; raise it for load tests. */
  readonly sessionsPerDay: number;
  /** Nothing is later: what would be is left out. Default: the last day is over. */
  readonly now?: Date;
}

/**
 * A month of made-up work: several projects, users in several time zones, two hosts, models with
 * and without a price, subscriptions and their limits, subagents, forks, compactions that pay and
 * that do not, retries, quiet weekends; on a day that is not over, somebody works. The same options
 * give the same events, byte for byte.
 */
export function* demoMonth(options: DemoOptions): Generator<LedgerEvent> {
  const now = options.now?.toISOString() ?? null;
  for (const event of wholeMonth(options)) if (now === null || event.time <= now) yield event;
}

function* wholeMonth(options: DemoOptions): Generator<LedgerEvent> {
  const lastDayMs = Math.floor(options.until.getTime() / dayMs) * dayMs;
  const given = options.now?.getTime() ?? lastDayMs + dayMs;
  const nowMs = given >= lastDayMs && given < lastDayMs + dayMs ? given : null;
  const quota = createQuota(nowMs);
  yield* days(options, lastDayMs, quota);
  if (nowMs !== null) yield* demoSession(planNow(nowMs), seededRandom(options.seed + 1), quota);
}

/** Long enough to use some of a window that is still open: see `createQuota`. */
const begunMs = 6_000_000;

/** What goes on now, by the user whose provider tells of windows. */
function planNow(nowMs: number): DemoSessionPlan {
  const [user] = demoUsers;
  const [project] = demoProjects;
  const [model] = demoModels;
  const [branch] = project.branches;
  return { startMs: nowMs - begunMs, user, project, branch, model, prompts: 9 };
}

function* days(options: DemoOptions, lastDayMs: number, quota: DemoQuota): Generator<LedgerEvent> {
  const random = seededRandom(options.seed);
  for (let day = options.days - 1; day >= 0; day--) {
    for (const user of demoUsers) {
      for (const plan of planDay(lastDayMs - day * dayMs, user, options.sessionsPerDay, random)) {
        yield* demoSession(plan, random, quota);
      }
    }
  }
}

function planDay(
  dayStartMs: number,
  user: DemoUser,
  sessionsPerDay: number,
  random: Random,
): DemoSessionPlan[] {
  const weekday = new Date(dayStartMs).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  const sessions = Math.round(sessionsPerDay * (isWeekend ? 0.2 : 0.5 + random.next()));
  const localStartMs = dayStartMs - user.utcOffsetMinutes * 60_000;
  return Array.from({ length: sessions }, () => {
    const project = random.pick(demoProjects);
    return {
      startMs: localStartMs + random.between(8 * 60, 18 * 60) * 60_000 + random.between(0, 59_999),
      user,
      project,
      branch: random.pick(project.branches),
      model: random.pick(demoModels),
      prompts: random.between(1, 9),
    };
  }).sort((one, other) => one.startMs - other.startMs);
}
