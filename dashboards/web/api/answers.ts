/**
 * The answers that the page shows, by URL. What several parts ask in one go is one request; what is
 * on the page stays there, marked as old, until something newer has come.
 */
import type { Client, Outcome, Problem } from './client.ts';

export interface Answered<Answer> {
  /** It is null until one has come. */
  readonly answer: Answer | null;
  /** Why the newest question was not answered; null: it was, or nobody has asked. */
  readonly problem: Problem | null;
  /** A newer answer is being asked for. */
  readonly isAsking: boolean;
  /** When the answer came, in ms since 1970; null: none has. */
  readonly at: number | null;
}

export interface AnswerStore {
  read(url: string): Answered<unknown>;
  /** Asks, unless a new answer is there; tells `listener` of each change. Ends by the result. */
  watch(url: string, listener: () => void): () => void;
  /**
   * Asks again for all that is watched; resolves when that has been answered. What nobody watches
   * stays, and is asked for when somebody does.
   */
  refresh(): Promise<void>;
  /** Asks again for this one. */
  askAgain(url: string): void;
  /** Whether nobody answered when something that is watched was asked for. */
  isUnanswered(): boolean;
  /** Forgets every answer: somebody else is signed in. */
  clear(): void;
}

const nothing: Answered<unknown> = { answer: null, problem: null, isAsking: true, at: null };
/** Answers that nobody watches are kept, to show at once when one comes back. */
const keptMax = 200;

export interface AnswerStoreOptions {
  readonly client: Pick<Client, 'askAll'>;
  readonly first: ReadonlyMap<string, unknown>;
  readonly now: () => number;
  /** Told of every outcome: whether anybody answers, whether a token is needed. */
  onOutcome(outcome: Outcome): void;
}

export function createAnswers(options: AnswerStoreOptions): AnswerStore {
  const { client, first, now, onOutcome } = options;
  const answers = new Map<string, Answered<unknown>>();
  const listeners = new Map<string, Set<() => void>>();
  for (const [url, answer] of first)
    put(url, { answer, problem: null, isAsking: false, at: now() });
  /** Those that may have changed since they came. */
  const old = new Set<string>();
  let waiting = new Set<string>();
  /** Counts who has signed in or out: what another one asked for is not shown. */
  let reader = 0;
  let asked: Promise<void> = Promise.resolve();

  function put(url: string, answered: Answered<unknown>): void {
    answers.delete(url); // the newest last
    answers.set(url, answered);
    for (const kept of answers.keys()) {
      if (answers.size <= keptMax) break;
      if (listeners.has(kept)) continue;
      answers.delete(kept);
      old.delete(kept);
    }
    for (const listener of listeners.get(url) ?? []) listener();
  }

  function ask(url: string): void {
    if (waiting.size === 0) asked = Promise.resolve().then(askAll);
    waiting.add(url);
    old.delete(url);
    put(url, { ...(answers.get(url) ?? nothing), isAsking: true });
  }

  async function askAll(): Promise<void> {
    const urls = [...waiting];
    waiting = new Set();
    const asking = reader;
    await Promise.all(apart(urls).map((some) => askSome(some, asking)));
  }

  async function askSome(urls: readonly string[], asking: number): Promise<void> {
    const outcomes = await client.askAll(urls);
    if (asking !== reader) return;
    urls.forEach((url, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) return;
      put(url, after(answers.get(url) ?? nothing, outcome, now()));
      onOutcome(outcome);
    });
  }

  return {
    read: (url) => answers.get(url) ?? nothing,
    watch(url, listener) {
      const watching = listeners.get(url) ?? new Set();
      listeners.set(url, watching.add(listener));
      const held = answers.get(url);
      const isFailed = held !== undefined && held.problem !== null && !held.isAsking;
      if (held === undefined || isFailed || old.has(url)) ask(url);
      return () => {
        watching.delete(listener);
        if (watching.size === 0) listeners.delete(url);
      };
    },
    refresh() {
      for (const url of answers.keys()) if (!listeners.has(url)) old.add(url);
      for (const url of listeners.keys()) ask(url);
      return asked;
    },
    askAgain: ask,
    isUnanswered: () =>
      [...listeners.keys()].some((url) => answers.get(url)?.problem?.is === 'offline'),
    clear() {
      reader += 1;
      waiting = new Set();
      answers.clear();
      old.clear();
    },
  };
}

/** What reads far more than the rest delays nothing else. */
function apart(urls: readonly string[]): readonly (readonly string[])[] {
  const isSlow = (url: string) => url.startsWith('/v1/insights');
  const [quick, slow] = [urls.filter((url) => !isSlow(url)), urls.filter(isSlow)];
  return [quick, slow].filter((some) => some.length > 0);
}

function after(held: Answered<unknown>, outcome: Outcome, at: number): Answered<unknown> {
  return outcome.is === 'answered'
    ? { answer: outcome.body, problem: null, isAsking: false, at }
    : { ...held, problem: outcome.problem, isAsking: false };
}
