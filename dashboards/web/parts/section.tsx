/** A part of a view: its head, and what stands for its rows while there are none. */

import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import type { Answered } from '../api/answers.ts';
import type { Problem } from '../api/client.ts';
import { usePage } from '../state/page.ts';
import { Loading } from './marks.tsx';
import { useTyped } from './own-command.tsx';
import { PictureButton } from './picture-button.tsx';

export interface SectionProps {
  readonly title: string;
  /** Beside the title. */
  readonly note?: ComponentChildren;
  /** Choices and actions, at the right. */
  readonly end?: ComponentChildren;
  /** What its charts are of, where they can be saved as a picture: said in it below the title. */
  readonly picture?: string;
  /** A section is this many of twelve columns wide. */
  readonly width?: 4 | 5 | 6 | 7 | 8 | 12;
  readonly children: ComponentChildren;
}

export function Section(props: SectionProps): JSX.Element {
  const { title, note, end, picture, width = 12, children } = props;
  const id = useId();
  return (
    <section class={`section w${width}`} aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span class="note">{note}</span>}
        {(end ?? picture) !== undefined && (
          <span class="end">
            {end}
            {picture !== undefined && <PictureButton scope={picture} />}
          </span>
        )}
      </div>
      {children}
    </section>
  );
}

export interface HeldProps<Answer> {
  readonly of: Answered<Answer>;
  children(answer: Answer): ComponentChildren;
}

/** Whether what is shown answers another question than the one that is asked. */
const Dimmed = createContext(false);

/**
 * Its answer; while another one is asked for, the last that was here, dimmed, so that nothing
 * jumps; or why there is none. Other sections stay as they are.
 */
export function Held<Answer>({ of, children }: HeldProps<Answer>): JSX.Element {
  const last = useRef<Answer | null>(null);
  useEffect(() => {
    if (of.answer !== null) last.current = of.answer;
  }, [of.answer]);
  const isDimmed = of.answer === null && of.problem === null;
  const shown = of.answer ?? (isDimmed ? last.current : null);
  return (
    <>
      {of.problem !== null && <Trouble problem={of.problem} isAlone={shown === null} />}
      {shown === null ? (
        of.problem === null && <Loading />
      ) : (
        <div class={isDimmed ? 'dimmed' : 'held'} aria-busy={isDimmed}>
          <Dimmed value={isDimmed}>{children(shown)}</Dimmed>
        </div>
      )}
    </>
  );
}

/** What came instead of an answer. The page says itself that nobody answers, or who may ask. */
function Trouble({ problem, isAlone }: { problem: Problem; isAlone: boolean }) {
  const { answers } = usePage();
  const typed = useTyped();
  if (problem.is === 'forbidden') return <Empty>n/a: {problem.message}</Empty>;
  if (problem.is !== 'refused') return isAlone ? <Empty>Not known yet.</Empty> : null;
  return (
    <p class="problem" role="alert">
      {typed(problem.message)}{' '}
      <button type="button" class="link" onClick={() => answers.refresh()}>
        Try again
      </button>
    </p>
  );
}

/** Why there are no rows, and one step that helps: said when that is known. */
export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  if (useContext(Dimmed)) return <Loading />;
  return <p class="empty">{children}</p>;
}
