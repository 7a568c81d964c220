/**
 * The answers that the page shows, by URL. What several parts ask in one go is one request; what is
 * on the page stays there, marked as old, until something newer has come.
 */
import type { Client, Outcome, Problem } from './client.ts';

export interface Answered<Answer> {
  /** Null: none has come yet. */
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
  /** Asks, unless an answer is there; calls `listener` whenever it changes. Ends by the result. */
  watch(url: string, listener: () => void): () => void;
  /** Asks again for all that is watched; resolves when that has been answered. */
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
  let waiting = new Set<string>();
  /** Counts who has signed in or out: what another one asked for is not shown. */
  let reader = 0;
  let asked: Promise<void> = Promise.resolve();

  function put(url: string, answered: Answered<unknown>): void {
    answers.delete(url); // the newest last
    answers.set(url, answered);
    for (const old of answers.keys()) {
      if (answers.size <= keptMax) break;
      if (!listeners.has(old)) answers.delete(old);
    }
    for (const listener of listeners.get(url) ?? []) listener();
  }

  function ask(url: string): void {
    if (waiting.size === 0) asked = Promise.resolve().then(askAll);
    waiting.add(url);
    put(url, { ...(answers.get(url) ?? nothing), isAsking: true });
  }

  async function askAll(): Promise<void> {
    const urls = [...waiting];
    waiting = new Set();
    const asking = reader;
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
      if (held === undefined || (held.problem !== null && !held.isAsking)) ask(url);
      return () => {
        watching.delete(listener);
        if (watching.size === 0) listeners.delete(url);
      };
    },
    refresh() {
      for (const url of answers.keys()) if (!listeners.has(url)) answers.delete(url);
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
    },
  };
}

function after(held: Answered<unknown>, outcome: Outcome, at: number): Answered<unknown> {
  return outcome.is === 'answered'
    ? { answer: outcome.body, problem: null, isAsking: false, at }
    : { ...held, problem: outcome.problem, isAsking: false };
}
