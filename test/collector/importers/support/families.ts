/**
 * Families of sessions: forks, possibly under set-back clocks, and subagents with their own files.
 * The true spend is known, because every answer has a name.
 */
import { basename, join } from 'node:path';
import fc from 'fast-check';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
  newSession,
  toolCall,
  toolResult,
  usage,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { type File, startMs } from './ways.ts';

export type Host = 'pi' | 'omp';

export interface Wish {
  /** The earlier session that it forks; the first is independent. */
  readonly from: number;
  readonly parent: 'path' | 'id' | 'none';
  /** The clock's time of the fork. */
  readonly clock: 'right' | 'same millisecond' | 'within' | 'before';
  readonly answers: number;
  readonly subagent: 'none' | 'one' | 'nested';
  /** omp's `/tan`, which always names its parent. */
  readonly losesPrices: boolean;
  readonly folder: string;
}

export const wishes = fc.array(
  fc.record<Wish>({
    from: fc.nat(5),
    parent: fc.constantFrom('path', 'path', 'id', 'none'),
    clock: fc.constantFrom('right', 'right', 'same millisecond', 'within', 'before'),
    answers: fc.integer({ min: 0, max: 2 }),
    subagent: fc.constantFrom('none', 'one', 'nested'),
    losesPrices: fc.integer({ min: 0, max: 2 }).map((number) => number === 0),
    folder: fc.constantFrom('a', 'b'),
  }),
  { minLength: 1, maxLength: 4 },
);

export interface Family {
  readonly files: readonly File[];
  /** The tokens spent, as far as these files show. */
  spentIn(files: readonly File[]): number;
}

const answerTokens = 110;
const minuteMs = 60_000;

export function familyOf(host: Host, wanted: readonly Wish[]): Family {
  const sessions: FakeSession[] = [];
  const files: File[] = [];
  /** By entry: the answers that it is or that it repeats. */
  const tells = new Map<string, readonly string[]>();
  let nowMs = startMs;

  function give(session: FakeSession, id: string, calls: readonly string[] = []): void {
    nowMs += minuteMs;
    const content = calls.map((call) => toolCall(call, host === 'omp' ? 'task' : 'subagent'));
    append(session, id, nowMs, answer(`r-${id}`, { timestamp: nowMs, content }));
    tells.set(id, [id]);
  }

  /** A turn that calls a subagent, whose file is in `place`. */
  function call(session: FakeSession, id: string, place: string, isNested: boolean): void {
    give(session, `${id}-call`, [`${id}-c`]);
    const name = host === 'omp' ? id : `s-${id}`;
    const child = newSession(idAt(nowMs + 1, files.length), nowMs + 1);
    child.header.cwd = session.header.cwd;
    give(child, `${id}-1`);
    if (isNested) call(child, `${id}.B`, join(place, name), false);
    give(child, `${id}-2`);
    nowMs += minuteMs;
    const { told, details } = resultOf(host, id, child, tells);
    append(session, `${id}-x`, nowMs, toolResult(`${id}-c`, 'task', false, details));
    tells.set(`${id}-x`, told);
    const path = host === 'omp' ? join(place, `${name}.jsonl`) : basename(fileOf(child));
    files.push({ name: path, session: child });
    if (host === 'pi') sessions.push(child);
  }

  for (const [index, wish] of wanted.entries()) {
    const parent = sessions[wish.from % Math.max(1, sessions.length)];
    nowMs += 10 * minuteMs;
    const startsMs = startOf(wish, parent, nowMs);
    const id = idAt(startsMs, index + 50);
    const session =
      parent === undefined ? newSession(id, startsMs) : forked(parent, wish, host, id, startsMs);
    session.header.cwd = `/srv/${index}`;
    const name = join(wish.folder, basename(fileOf(session)));
    const place = name.replace(/\.jsonl$/, '');
    if (parent !== undefined && host === 'omp') files.push(...copiesOf(files, parent, place));
    append(session, `u${index}`, nowMs, userSays());
    for (let each = 1; each <= wish.answers; each++) give(session, `e${index}-${each}`);
    if (wish.subagent !== 'none') call(session, `S${index}`, place, wish.subagent === 'nested');
    if (wish.subagent !== 'none') give(session, `e${index}-end`);
    sessions.push(session);
    files.push({ name, session });
  }
  return {
    files,
    spentIn: (there) =>
      new Set(
        there.flatMap(({ session }) =>
          session.entries.flatMap(({ id }) => tells.get(`${id}`) ?? []),
        ),
      ).size * answerTokens,
  };
}

/** Begins with the time, like the hosts' ids. */
function idAt(timeMs: number, index: number): string {
  const hex = timeMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${`${index}`.padStart(12, '0')}`;
}

function startOf({ clock }: Wish, parent: FakeSession | undefined, nowMs: number): number {
  const times = parent?.entries.map(({ timestamp }) => Date.parse(String(timestamp))) ?? [];
  if (clock === 'same millisecond') return times.at(-1) ?? nowMs;
  if (clock === 'within') return times[times.length >> 1] ?? nowMs;
  return clock === 'before' && times.length > 0 ? startMs - 60 * minuteMs + times.length : nowMs;
}

function forked(
  parent: FakeSession,
  { parent: named, losesPrices }: Wish,
  host: Host,
  id: string,
  timeMs: number,
): FakeSession {
  const session = fork(parent, id, timeMs);
  const isTan = losesPrices && host === 'omp';
  if (named === 'id') session.header.parentSession = parent.id;
  if (named === 'none' && !isTan) delete session.header.parentSession;
  return isTan ? { ...session, entries: session.entries.map(withoutPrice) } : session;
}

function withoutPrice(entry: Record<string, unknown>): Record<string, unknown> {
  const message = entry.message as { usage?: object } | undefined;
  if (message?.usage === undefined) return entry;
  return { ...entry, message: { ...message, usage: { ...message.usage, cost: { total: 0 } } } };
}

/** omp also copies the files of a session's subagents. */
function copiesOf(files: readonly File[], parent: FakeSession, place: string): File[] {
  const stem = basename(fileOf(parent), '.jsonl');
  return files.flatMap(({ name, session }) => {
    const at = name.indexOf(`${stem}/`);
    return at < 0 ? [] : [{ name: join(place, name.slice(at + stem.length + 1)), session }];
  });
}

/** What a tool result says about a subagent, in the host's format, and whose answers these are. */
function resultOf(
  host: Host,
  id: string,
  child: FakeSession,
  tells: ReadonlyMap<string, readonly string[]>,
) {
  const told = child.entries.flatMap((entry) => tells.get(String(entry.id)) ?? []);
  const messages = child.entries.map(({ message }) => message as Record<string, unknown>);
  if (host === 'pi') return { told, details: { results: [{ agent: 'worker', messages }] } };
  const answers = messages.filter(({ role }) => role === 'assistant').length;
  const sum = { ...usage(100 * answers), output: 7 * answers, cacheRead: 3 * answers };
  const task = messages.flatMap(({ details }) => (details === undefined ? [] : [details]));
  const extractedToolData = task.length === 0 ? {} : { task };
  const results = [{ index: 0, id, agent: 'task', usage: sum, extractedToolData }];
  return { told, details: { results } };
}
