/** What all parts of the page share: where it is, its answers, and how it stands. */

import { createContext } from 'preact';
import { useContext, useEffect, useReducer } from 'preact/hooks';
import { minuteMs } from '../../../core/time/units.ts';
import type { Answered, AnswerStore } from '../api/answers.ts';
import type { Ask } from '../api/ask.ts';
import type { Client } from '../api/client.ts';
import type { Place } from './place.ts';
import type { FilterName } from './scope.ts';
import type { Store } from './store.ts';

/** How the page stands to the collector. */
export type Connection =
  | { readonly is: 'connecting' | 'live' }
  /** `since`: ms since 1970. */
  | { readonly is: 'offline'; readonly since: number }
  | { readonly is: 'signIn'; readonly message: string };

/** What the palette shows: everything, the values of one filter, or the keys. */
export type PaletteMode = 'all' | 'keys' | FilterName;

export interface Heard {
  readonly position: string;
  /** When it came, in ms since 1970; null: before the page was opened. */
  readonly at: number | null;
}

export interface Page {
  readonly place: Store<Place>;
  readonly answers: AnswerStore;
  readonly connection: Store<Connection>;
  /** The newest position in the views; null: not heard yet. */
  readonly heard: Store<Heard | null>;
  /** It is null while the palette is closed. */
  readonly palette: Store<PaletteMode | null>;
  /** Goes there; `replace`: without a step in the history. */
  go(place: Place, how?: 'push' | 'replace'): void;
  /** Asks what needs a body, such as a price list. */
  readonly post: Client['post'];
  readonly hideInsight: Client['hideInsight'];
  /** Signs out when the token is null. */
  signIn(token: string | null): void;
  /** Whether a token is in use. */
  isSignedIn(): boolean;
  readonly now: () => Date;
}

const Shared = createContext<Page | null>(null);
export const PageProvider = Shared.Provider;

export function usePage(): Page {
  const page = useContext(Shared);
  if (page === null) throw new Error('outside of the page');
  return page;
}

export function useStore<Value>(store: Store<Value>): Value {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => store.watch(() => redraw(undefined)), [store]);
  return store.read();
}

/** The answer, as it stands; the part is drawn anew when another one comes. */
export function useAnswer<Answer>(asked: Ask<Answer>): Answered<Answer> {
  const { answers } = usePage();
  const { url } = asked;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => answers.watch(url, () => redraw(undefined)), [answers, url]);
  return readAnswer(answers, asked);
}

/** An answer that time alone changes: asked again each minute (`everyMs`) that the page is seen. */
export function useAnswerOfNow<Answer>(asked: Ask<Answer>, everyMs = minuteMs): Answered<Answer> {
  const { answers } = usePage();
  const { url } = asked;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') answers.askAgain(url);
    }, everyMs);
    return () => clearInterval(timer);
  }, [answers, url, everyMs]);
  return useAnswer(asked);
}

export function readAnswer<Answer>(
  answers: Pick<AnswerStore, 'read'>,
  { url }: Ask<Answer>,
): Answered<Answer> {
  // The API's contract says what this path answers.
  return answers.read(url) as Answered<Answer>;
}

/** Several, in order. */
export function useAnswers<Answer>(asks: readonly Ask<Answer>[]): readonly Answered<Answer>[] {
  const { answers } = usePage();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const urls = asks.map(({ url }) => url);
  useEffect(() => {
    const ends = urls.map((url) => answers.watch(url, () => redraw(undefined)));
    return () => {
      for (const end of ends) end();
    };
  }, [answers, urls.join(' ')]);
  return urls.map((url) => answers.read(url) as Answered<Answer>);
}
