/**
 * The status line of `footer: true`: what this session and today cost, and how full the window is;
 * and, from the same answers, how budgets stand.
 *
 * Guarantees: nothing on the host's path but to note that something changed; at most one request a
 * minute, and only after something happened or while `onBudgets` wants it; no timer keeps the host
 * alive; silent where no person looks at a terminal; nothing is asked for a paused session, whose
 * id the collector may not have. Between two answers, today's sum grows by what this process
 * recorded since, unless the collector ignores its project.
 */
import type { Clock } from '../../clock.ts';
import { hasUi, setStatus } from '../../host/host.ts';
import { localDay } from '../../live/day-totals.ts';
import type { SessionState } from '../../live/session-state.ts';
import { type BilledTotals, recordsIn, type SpentTotals } from '../../live/totals.ts';
import type { Recording } from '../../producer.ts';
import type { OverviewAnswer, OverviewBudget } from '../asking/overview.ts';
import { type FooterToday, footerText } from './text.ts';

export interface Footer {
  /** Something changed in a session. Contract: constant time; never throws. */
  touch(ctx: unknown, session: SessionState | undefined): void;
}

export interface FooterOptions {
  readonly producer: Pick<Recording, 'recorder' | 'shipper'>;
  readonly clock: Clock;
  /** Else it only asks, for `onBudgets`. */
  readonly isShown: boolean;
  /** Contract: never rejects. */
  ask(sessionId: string): Promise<OverviewAnswer>;
  /** True: ask again in a minute, whatever happens. Contract: never throws. */
  onBudgets(ctx: unknown, sessionId: string, budgets: readonly OverviewBudget[]): boolean;
}

const statusKey = 'pi-ledger';
export const askEveryMs = 60_000;
/** For what a turn recorded to arrive, and between looks whether it has. */
export const settleMs = 2_000;
const looksMax = 5;

/** An answer, and what this process had recorded when it was given. */
interface Answered {
  readonly sessionId: string;
  readonly day: string;
  readonly today: SpentTotals;
  readonly isGrowing: boolean;
  readonly dayThen: SpentTotals;
  readonly session: { readonly spent: SpentTotals; readonly then: SpentTotals } | null;
  /** The collector leaves the session's project out. */
  readonly isIgnored: boolean;
  /** A later question had no answer. */
  isOld: boolean;
}

export function createFooter({ producer, clock, isShown, ask, onBudgets }: FooterOptions): Footer {
  const { recorder, shipper } = producer;
  let current: { readonly ctx: unknown; readonly session: SessionState } | null = null;
  let shown: string | null = null;
  let isDrawing = false;
  let isAsking = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let answered: Answered | null = null;
  let hasFailed = false;

  function draw(): void {
    isDrawing = false;
    if (current === null) return;
    const { ctx, session } = current;
    const text = footerText({
      ...sessionSpent(session, answered),
      today: todayOf(),
      context: session.context,
      thresholdTokens: thresholdOf(session),
    });
    if (text !== shown && setStatus(ctx, statusKey, text)) shown = text;
  }

  function drawSoon(): void {
    if (isDrawing || !isShown) return;
    isDrawing = true;
    clock.after(0, () => void Promise.resolve().then(draw).catch(ignored));
  }

  function todayOf(): FooterToday {
    const day = localDay(clock.nowMs());
    const isUnasked = current !== null && isPausedNow(current.session);
    if (answered?.day !== day) return { is: hasFailed || isUnasked ? 'unknown' : 'asking' };
    const { today, dayThen, isOld, isGrowing, isIgnored } = answered;
    return {
      is: 'known',
      spent: isIgnored ? today : grown(today, dayThen, recorder.days.of(day)),
      isPartial: isOld || isUnasked,
      isGrowing,
    };
  }

  function askSoon(): void {
    if (isAsking) return;
    isAsking = true;
    const waitMs = Math.max(settleMs, askedAtMs + askEveryMs - clock.nowMs());
    clock.after(waitMs, () => void lookAndAsk(looksMax).catch(ignored));
  }

  /**
   * Not before all of this process has arrived: what is on its way would be in neither sum, or in
   * both.
   */
  async function lookAndAsk(looks: number): Promise<void> {
    const { state, pendingBytes } = shipper.state();
    const isOnItsWay = pendingBytes > 0 && (state === 'idle' || state === 'shipping');
    if (isOnItsWay && looks > 0) {
      clock.after(settleMs, () => void lookAndAsk(looks - 1).catch(ignored));
      return;
    }
    isAsking = false;
    if (current !== null && pendingBytes === 0) await askNow(current.session);
    else settle(null);
    drawSoon();
  }

  async function askNow(session: SessionState): Promise<void> {
    if (isPausedNow(session)) return;
    askedAtMs = clock.nowMs();
    const day = localDay(askedAtMs);
    const dayThen = copied(recorder.days.of(day));
    const then = copied(session.totals.spent);
    const answer = await ask(session.id);
    if (answer.is === 'overview' && current?.session === session) {
      if (onBudgets(current.ctx, session.id, answer.overview.budgets)) askSoon();
    }
    if (recordsIn(recorder.days.of(day)) !== recordsIn(dayThen)) return; // the next turn asks again
    if (answer.is === 'none') return settle(null);
    const { today, isGrowing, session: said } = answer.overview;
    const isIgnored = said?.isIgnored === true;
    const known = said === null || isIgnored ? null : { spent: said.spent, then };
    const about = { sessionId: session.id, day, session: known, isIgnored };
    settle({ ...about, today, isGrowing, dayThen, isOld: false });
  }

  function settle(answer: Answered | null): void {
    hasFailed = answer === null;
    if (answer !== null) answered = answer;
    else if (answered !== null) answered.isOld = true;
  }

  return {
    touch(ctx, session) {
      if (session?.attribution?.mode !== 'tui' || hasUi(ctx) !== true) return;
      if (current?.session !== session) shown = null;
      current = { ctx, session };
      drawSoon();
      if (!isPausedNow(session)) askSoon();
    },
  };
}

/** An error in a timer would end the host; a line in a footer is worth no message. */
const ignored = () => undefined;

function isPausedNow({ privacy }: SessionState): boolean {
  return privacy === 'paused';
}

function sessionSpent(
  session: SessionState,
  answered: Answered | null,
): { readonly session: SpentTotals; readonly isSessionPartial: boolean } {
  const { totals, hasEarlier, id } = session;
  const known = answered?.sessionId === id ? answered.session : null;
  return hasEarlier && known !== null
    ? { session: grown(known.spent, known.then, totals.spent), isSessionPartial: false }
    : { session: totals.spent, isSessionPartial: hasEarlier };
}

function thresholdOf({ limits }: SessionState): number | null {
  return limits?.limits.autoCompaction === true ? limits.limits.thresholdTokens : null;
}

// Sums that grow between two answers of the collector. Pure.

/** What was known, with what was recorded here since: `now` less `then`. */
function grown(known: SpentTotals, then: SpentTotals, now: SpentTotals): SpentTotals {
  return {
    metered: grownBilled(known.metered, then.metered, now.metered),
    subscription: grownBilled(known.subscription, then.subscription, now.subscription),
    unknown: grownBilled(known.unknown, then.unknown, now.unknown),
  };
}

function grownBilled(known: BilledTotals, then: BilledTotals, now: BilledTotals): BilledTotals {
  return {
    records: known.records + now.records - then.records,
    nanoUsd: known.nanoUsd + now.nanoUsd - then.nanoUsd,
    unpricedRecords: known.unpricedRecords + now.unpricedRecords - then.unpricedRecords,
    unreportedRecords: known.unreportedRecords + now.unreportedRecords - then.unreportedRecords,
  };
}

function copied(spent: SpentTotals): SpentTotals {
  return {
    metered: { ...spent.metered },
    subscription: { ...spent.subscription },
    unknown: { ...spent.unknown },
  };
}
