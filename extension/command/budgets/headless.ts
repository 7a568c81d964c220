/**
 * Ends a run without a person (print, JSON, RPC) while a budget with `endsHeadlessRuns` is over, or
 * once it has spent its own `runBudget`: before the next prompt, or once a turn's tools are done
 * and before the next request.
 *
 * Guarantees: nothing on the host's path but a look-up; of budgets it acts on what the collector
 * said last, and what is not known ends nothing. It asks off the host's path, once a minute at most
 * where the answer is known; no timer keeps the host alive; a paused session is not asked about.
 */
import { sanitizeLine } from '../../../core/text/sanitize.ts';
import type { Clock } from '../../clock.ts';
import { abortRun, hasUi, type Mode, notify, shutDown } from '../../host/host.ts';
import { hasMoreTurns } from '../../host/run-events.ts';
import { isHeadless, type SessionState } from '../../live/session-state.ts';
import type { Trigger } from '../../live/triggers.ts';
import type { OverviewAnswer, OverviewBudget } from '../asking/overview.ts';
import type { Budgets } from './budgets.ts';
import { refusal } from './gate.ts';
import { budgetNotice } from './text.ts';

export interface HeadlessRuns {
  /**
   * After a hook. Returns what an `input` handler returns. Contract: synchronous, never throws.
   */
  after(
    trigger: Trigger,
    event: unknown,
    ctx: unknown,
    session: SessionState | undefined,
  ): typeof refusal | undefined;
}

export interface HeadlessOptions {
  readonly budgets: Budgets;
  readonly clock: Clock;
  /** Why it may not start, for people; null: it may. */
  readonly stopsRuns: string | null;
  /** That this run has spent what it may, in a sentence; null: not yet. Contract: a look-up. */
  runOver(): string | null;
  /** Rejects if its code cannot be loaded. */
  ask(sessionId: string): Promise<OverviewAnswer>;
  writeLine(line: string): void;
  /** What the process ends with, unless the host says something else. */
  setExitCode(code: number): void;
}

export const askEveryMs = 60_000;
/**
 * Where nothing answered in time, as while the host starts on a busy machine, or the collector has
 * not received the session yet.
 */
export const askAgainMs = 2_000;
const againMax = 5;

export function createHeadlessRuns(options: HeadlessOptions): HeadlessRuns {
  const { budgets, clock, ask } = options;
  /** The session that the host runs; omp's subagents run within it. */
  let main: SessionState | null = null;
  let askedFor = '';
  let nextAskMs = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  const told = new Set<string>();

  function askSoon(): void {
    if (askedFor !== main?.id || clock.nowMs() >= nextAskMs) begin(againMax);
  }

  function begin(again: number): void {
    if (isAsking || main === null || main.privacy === 'paused') return;
    const { id } = main;
    isAsking = true;
    askedFor = id;
    nextAskMs = clock.nowMs() + askEveryMs;
    clock.after(0, () => void askNow(id, again).catch(ignored));
  }

  async function askNow(id: string, again: number): Promise<void> {
    let answer: OverviewAnswer;
    try {
      answer = await ask(id);
    } finally {
      isAsking = false;
    }
    if (answer.is === 'overview') budgets.note(id, answer.overview.budgets);
    const isKnown = answer.is === 'overview' && answer.overview.session !== null;
    if (isKnown || again === 0) return;
    // A session that took its place is asked about by its own hooks.
    clock.after(askAgainMs, () => main?.id === id && begin(again - 1));
  }

  function end(trigger: Trigger, ctx: unknown, why: string): typeof refusal | undefined {
    options.setExitCode(1);
    tell(ctx, why);
    return endRun(trigger, ctx, main?.attribution?.mode);
  }

  function tell(ctx: unknown, why: string): void {
    const id = main?.id ?? '';
    if (told.has(id)) return;
    told.add(id);
    tellEnd(ctx, why, options.writeLine);
  }

  return {
    after(trigger, event, ctx, session) {
      if (session === undefined || !watched.has(trigger)) return undefined;
      if (isHeadless(session)) main = session;
      if (main === null || main.privacy === 'paused') return undefined;
      const why =
        stopText(options.stopsRuns) ?? explainEnd(budgets.ending(main.id), options.runOver());
      if (why === null) askSoon();
      else if (isSafePoint(trigger, event)) return end(trigger, ctx, why);
      return undefined;
    },
  };
}

function tellEnd(ctx: unknown, why: string, writeLine: HeadlessOptions['writeLine']): void {
  const line = sanitizeLine(`pi-ledger ends this run. ${why}`);
  try {
    writeLine(line);
  } catch {
    // stderr is closed
  }
  if (hasUi(ctx) === true) notify(ctx, line, 'warning');
}

function endRun(
  trigger: Trigger,
  ctx: unknown,
  mode: string | undefined,
): typeof refusal | undefined {
  if (mode === 'rpc') shutDown(ctx);
  if (trigger === 'input') return refusal;
  abortRun(ctx);
  return undefined;
}

/**
 * Lets no run without a person start, where nothing is recorded either: the settings cannot be
 * read. Contract: as `HeadlessRuns.after`.
 */
export function refuseRuns(
  why: string,
  mode: Mode,
  { writeLine, setExitCode }: Pick<HeadlessOptions, 'writeLine' | 'setExitCode'>,
): (trigger: 'input' | 'agent_start', ctx: unknown) => typeof refusal | undefined {
  let isTold = false;
  return (trigger, ctx) => {
    if (mode === 'tui') return undefined;
    setExitCode(1);
    if (!isTold) tellEnd(ctx, `${why} ${helpOfStop}`, writeLine);
    isTold = true;
    return endRun(trigger, ctx, mode);
  };
}

function stopText(why: string | null): string | null {
  return why === null ? null : `${why}. ${helpOfStop}`;
}

/** Returns null if nothing is over. */
function explainEnd(over: readonly OverviewBudget[], run: string | null): string | null {
  if (over.length > 0) return `${over.map(budgetNotice).join(' ')} ${helpOfBudgets}`;
  return run === null ? null : `${run} ${helpOfRun}`;
}

const helpOfBudgets = 'To go on, raise its limit or remove its "endsHeadlessRuns" in config.json.';
const helpOfStop = 'To go on, mend it, or switch "stopWhenUnreadable" off in config.json.';
const helpOfRun = 'To go on, raise PI_LEDGER_RUN_BUDGET, or "runBudget" in config.json.';

const watched: ReadonlySet<Trigger> = new Set([
  'session_start',
  'session_switch',
  'session_branch',
  'input',
  'agent_start',
  'turn_end',
]);

/** No request and no tool is under way, and one is about to be. */
function isSafePoint(trigger: Trigger, event: unknown): boolean {
  return trigger === 'input' || trigger === 'agent_start' || hasMoreTurns(event);
}

/** An error in a timer would end the host. */
const ignored = () => undefined;
