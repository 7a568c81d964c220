/** A part of a view: its head, and what stands for its rows while there are none. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Answered } from '../api/answers.ts';
import { usePage } from '../state/page.ts';

export interface SectionProps {
  readonly title: string;
  /** Beside the title. */
  readonly note?: ComponentChildren;
  /** Choices and actions, at the right. */
  readonly end?: ComponentChildren;
  /** Of twelve columns. */
  readonly width?: 4 | 5 | 6 | 7 | 8 | 12;
  readonly children: ComponentChildren;
}

export function Section({ title, note, end, width = 12, children }: SectionProps): JSX.Element {
  const id = useId();
  return (
    <section class={`section w${width}`} aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span class="note">{note}</span>}
        {end !== undefined && <span class="end">{end}</span>}
      </div>
      {children}
    </section>
  );
}

export interface HeldProps<Answer> {
  readonly of: Answered<Answer>;
  children(answer: Answer): ComponentChildren;
}

/** Its last known answer, dimmed while a first one is asked for; or why there is none. */
export function Held<Answer>({ of, children }: HeldProps<Answer>): JSX.Element {
  const { answers } = usePage();
  const { answer, problem } = of;
  return (
    <>
      {problem?.is === 'refused' && (
        <p class="problem" role="alert">
          {problem.message}{' '}
          <button type="button" class="link" onClick={() => answers.refresh()}>
            Try again
          </button>
        </p>
      )}
      {answer === null ? problem === null && <p class="loading">…</p> : children(answer)}
    </>
  );
}

/** Why there are no rows, and one step that helps. */
export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}
