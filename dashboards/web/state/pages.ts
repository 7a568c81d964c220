/** Answers that come in pages: the first ones of a list, and the way to the next. */
import { useEffect, useReducer, useState } from 'preact/hooks';
import type { Answered } from '../api/answers.ts';
import type { Ask } from '../api/ask.ts';
import { readAnswer, usePage } from './page.ts';

interface Paged {
  readonly next: string | null;
}

export interface Pages<Answer> {
  /** At least one; the last may not have come yet. */
  readonly pages: readonly Answered<Answer>[];
  /** The list ends with the last of them. */
  readonly isAll: boolean;
  /** Asks for the page after them. */
  more(): void;
}

/** `askPage`: the page after a cursor; without one, the first. */
export function usePages<Answer extends Paged>(
  askPage: (cursor?: string) => Ask<Answer>,
): Pages<Answer> {
  const { answers } = usePage();
  const first = askPage().url;
  const [wanted, want] = useState({ of: first, pages: 1 });
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const count = wanted.of === first ? wanted.pages : 1;
  const urls: string[] = [];
  const pages: Answered<Answer>[] = [];
  let next: string | null | undefined;
  while (pages.length < count && next !== null) {
    const asked = askPage(next);
    const page = readAnswer(answers, asked);
    urls.push(asked.url);
    pages.push(page);
    next = page.answer?.next ?? null;
  }
  const watched = urls.join(' ');
  useEffect(() => {
    const ends = watched.split(' ').map((url) => answers.watch(url, () => redraw(undefined)));
    return () => {
      for (const end of ends) end();
    };
  }, [answers, watched]);
  return {
    pages,
    isAll: next === null && pages.at(-1)?.answer !== null,
    more: () => want({ of: first, pages: pages.length + 1 }),
  };
}
