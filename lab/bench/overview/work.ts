/**
 * A company's quarter as a load: the demo's sessions, of a thousand users in two hundred projects,
 * not in order of time, so that every part has the same mix.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import {
  type DemoProject,
  type DemoUser,
  demoModels,
  demoUsers,
} from '../../../collector/cli/demo/cast.ts';
import { type Random, seededRandom } from '../../../collector/cli/demo/random.ts';
import { type DemoSessionPlan, demoSession } from '../../../collector/cli/demo/session.ts';

export const users = 1_000;
export const projects = 200;
export const days = 90;
/** Projects of one user. */
const projectsMax = 4;
export const seed = 2_026;
const dayMs = 86_400_000;
const firstDayMs = Date.UTC(2026, 7, 20);
const weekendShare = 0.15;

/** The last thirty days begin with it. */
export const dayOfLastThirty = new Date(firstDayMs + (days - 30) * dayMs)
  .toISOString()
  .slice(0, 10);
/** Before everybody's first day, in every time zone. */
export const firstDay = new Date(firstDayMs - dayMs).toISOString().slice(0, 10);

export function userName(index: number): string {
  return `demo-user-${index}`;
}

export function projectName(index: number): string {
  return `demo-project-${index}`;
}

export interface WorkOrder {
  /** Of several loads for one store: its own sessions. Default: 0. */
  readonly part?: number;
  /** Day by day, so many sessions each. Default: in no order, so that every part has all days. */
  readonly sessionsPerDay?: number;
}

/** Endless: sessions, each as its events. Always the same ones. */
export function* work(order: WorkOrder = {}): Generator<readonly LedgerEvent[]> {
  const { part = 0, sessionsPerDay } = order;
  const random = withCheapIds(seededRandom(seed + part), part);
  const staff = Array.from({ length: users }, (_, index) => createUser(index, random));
  for (let made = 0; ; made += 1) {
    const dayStartMs = (): number =>
      sessionsPerDay === undefined
        ? workingDayMs(random)
        : firstDayMs + Math.floor(made / sessionsPerDay) * dayMs;
    const worker = random.pick(staff as [Worker, ...Worker[]]);
    yield demoSession(plan(worker, dayStartMs, random), random);
  }
}

const idsOfPart = 2 ** 28;

/** Ids are the largest cost of the demo's events, and their values do not matter here. */
function withCheapIds(random: Random, part: number): Random {
  let ids = part * idsOfPart;
  return {
    ...random,
    hex(digits) {
      ids += 1;
      return ids.toString(16).padStart(digits, '0').slice(-digits);
    },
  };
}

interface Worker {
  readonly user: DemoUser;
  readonly projects: readonly [DemoProject, ...DemoProject[]];
}

function createUser(index: number, random: Random): Worker {
  const like = random.pick(demoUsers);
  const user: DemoUser = { ...like, name: userName(index), machine: `demo-machine-${index}` };
  const own = Array.from({ length: random.between(1, projectsMax) }, () =>
    createProject(random.between(0, projects - 1)),
  );
  return { user, projects: [createProject(index % projects), ...own.slice(1)] };
}

function createProject(index: number): DemoProject {
  return { name: projectName(index), branches: ['main', 'feature/one', 'fix/two'] };
}

function plan(
  { user, projects: own }: Worker,
  dayStartMs: () => number,
  random: Random,
): DemoSessionPlan {
  const project = random.chance(0.6) ? own[0] : random.pick(own);
  const localStartMs = dayStartMs() - user.utcOffsetMinutes * 60_000;
  return {
    startMs: localStartMs + random.between(8 * 60, 18 * 60) * 60_000 + random.between(0, 59_999),
    user,
    project,
    branch: random.pick(project.branches as [string, ...string[]]),
    model: random.pick(demoModels),
    prompts: random.between(1, 9),
  };
}

function workingDayMs(random: Random): number {
  for (;;) {
    const ms = firstDayMs + random.between(0, days - 1) * dayMs;
    const weekday = new Date(ms).getUTCDay();
    if ((weekday !== 0 && weekday !== 6) || random.chance(weekendShare)) return ms;
  }
}
