/**
 * The answered requests of this process that no entry has explained yet, and what was said of them.
 * Entries are matched by number and time, not by content: which of two requests an entry explains
 * makes no difference to what is left.
 *
 * Bounded: beyond `requestsMax`, the oldest are forgotten, those already said first.
 */
import type { SessionState } from './session-state.ts';

export interface AnsweredRequest {
  /** At work when it was sent. */
  readonly session: SessionState;
  readonly origin: string;
  readonly sentAtMs: number;
  readonly sentMonotonicMs: number;
}

/** Which requests an entry explains. */
interface Explained {
  /** Sent since then. */
  readonly sinceMonotonicMs: number;
  readonly most: number;
  /** Where its model is asked: requests to it are taken first. */
  readonly origin: string | null;
}

/** What one event says of requests of one session to one host. */
interface Saying {
  readonly session: SessionState;
  readonly host: string;
  readonly provider: string | null;
  readonly atMs: number;
  readonly unexplained: number;
  readonly explainedLater: number;
}

interface Span {
  readonly sinceMonotonicMs: number;
  readonly untilMonotonicMs: number;
}

export interface RequestBook {
  add(request: AnsweredRequest): void;
  /** False: there is nothing to explain, and nothing to say. */
  hasAny(): boolean;
  /**
   * Requests to other origins than those of the host's models are forgotten. False: the host does
   * not say which these are.
   */
  keepModels(originsOf: () => ReadonlyMap<string, string | null> | null): boolean;
  explain(explained: Explained): void;
  /** All that was sent in this time is explained, also what is answered later. */
  close(span: Span): void;
  /** A private stretch begins: what its session has sent will have no entry. */
  forget(session: SessionState): void;
  /** What is to be said now. It is said again unless `confirm` was called. */
  say(): { readonly sayings: readonly Saying[]; confirm(): void };
}

interface Noted extends AnsweredRequest {
  saidAtMs: number | null;
}

const requestsMax = 1_000;

/** What is answered much later than others is not waited for. */
const spansMax = 16;

/** Requests of so much time are one event. */
const togetherMs = 15 * 60_000;

export function createRequestBook(): RequestBook {
  let open: Noted[] = [];
  /** Explained after they were said. */
  let late: Noted[] = [];
  let origins: ReadonlyMap<string, string | null> = new Map();
  let closed: readonly Span[] = [];

  function take({ sinceMonotonicMs }: Explained, most: number, origin: string | null): number {
    const taken = open
      .filter((each) => each.sentMonotonicMs >= sinceMonotonicMs)
      .filter((each) => origin === null || each.origin === origin)
      .slice(-most);
    open = open.filter((each) => !taken.includes(each));
    late.push(...taken.filter(({ saidAtMs }) => saidAtMs !== null));
    return taken.length;
  }

  return {
    hasAny: () => open.length + late.length > 0,
    add(request) {
      const { sentMonotonicMs } = request;
      const isExplained = closed.some(
        ({ sinceMonotonicMs, untilMonotonicMs }) =>
          sentMonotonicMs >= sinceMonotonicMs && sentMonotonicMs <= untilMonotonicMs,
      );
      if (isExplained) return;
      open.push({ ...request, saidAtMs: null });
      if (open.length <= requestsMax) return;
      const said = open.findIndex(({ saidAtMs }) => saidAtMs !== null);
      open.splice(Math.max(said, 0), 1);
    },
    keepModels(originsOf) {
      if (open.every(({ origin }) => origins.has(origin))) return true;
      const found = originsOf();
      if (found === null) return false;
      origins = found;
      open = open.filter(({ origin }) => origins.has(origin));
      return true;
    },
    explain(explained) {
      const { most, origin } = explained;
      const taken = origin === null ? 0 : take(explained, most, origin);
      if (taken < most) take(explained, most - taken, null);
    },
    close(span) {
      closed = [...closed.slice(1 - spansMax), span];
    },
    forget(session) {
      open = open.filter((each) => each.session !== session || each.saidAtMs !== null);
    },
    say() {
      const unsaid = open.filter(({ saidAtMs }) => saidAtMs === null);
      const explained = late;
      const groups = [...together(unsaid, 'unexplained'), ...together(explained, 'explainedLater')];
      return {
        sayings: groups.map(({ first, atMs, unexplained, explainedLater }) => ({
          session: first.session,
          host: new URL(first.origin).hostname,
          provider: origins.get(first.origin) ?? null,
          atMs,
          unexplained,
          explainedLater,
        })),
        confirm() {
          for (const { requests, atMs } of groups)
            for (const each of requests) each.saidAtMs = atMs;
          late = late.filter((each) => !explained.includes(each));
        },
      };
    },
  };
}

interface Group {
  readonly first: Noted;
  readonly requests: Noted[];
  readonly atMs: number;
  unexplained: number;
  explainedLater: number;
}

/** By session and origin; those said together are explained together. */
function together(
  requests: readonly Noted[],
  counted: 'unexplained' | 'explainedLater',
): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const each of requests) {
    const { session, origin, sentAtMs, saidAtMs } = each;
    const key = JSON.stringify([session.id, origin, saidAtMs ?? Math.floor(sentAtMs / togetherMs)]);
    const group = groups.get(key) ?? {
      first: each,
      requests: [],
      atMs: saidAtMs ?? sentAtMs,
      unexplained: 0,
      explainedLater: 0,
    };
    groups.set(key, group);
    group.requests.push(each);
    group[counted] += 1;
  }
  return [...groups.values()];
}
