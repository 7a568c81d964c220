/** What stands for what is not known, and before what is not exact. */
import type { ComponentChildren, JSX } from 'preact';
import type { Mark } from '../format/amount.ts';

const signs = {
  exact: null,
  atLeast: { sign: '≥', words: 'at least' },
  atMost: { sign: '≤', words: 'at most' },
  estimated: { sign: '~', words: 'estimated' },
  counting: { sign: '…', words: 'still counting' },
} as const;

/** The sign hangs left of the figure, the dots of what is still counted stand after it. */
export function Marked(props: { mark: Mark; children: ComponentChildren }): JSX.Element {
  const shown = signs[props.mark];
  if (shown === null) return <>{props.children}</>;
  const isSigned = typeof props.children === 'string' && /^[+−<>]/.test(props.children);
  const sign = (
    <span class={isSigned ? 'mark apart' : 'mark'}>
      <span aria-hidden="true">{shown.sign}</span>
      <span class="unseen">{shown.words} </span>
    </span>
  );
  return props.mark === 'counting' ? (
    <>
      {props.children}
      {sign}
    </>
  ) : (
    <>
      {sign}
      {props.children}
    </>
  );
}

/** Asked for, and not here yet. */
export function Loading(): JSX.Element {
  return <span class="loading">loading</span>;
}

/** Not known; never zero. */
export function NotKnown(): JSX.Element {
  return <span class="not-known">n/a</span>;
}

/** Does not apply. */
export function None(): JSX.Element {
  return (
    <span class="not-known">
      <span aria-hidden="true">–</span>
      <span class="unseen">none</span>
    </span>
  );
}
