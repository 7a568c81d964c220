/** The last line: how far the ledger is, and what the marks mean. */
import type { JSX } from 'preact';
import { formatCount } from '../format/count.ts';
import { formatClock } from '../format/time.ts';
import { Name } from '../parts/name.tsx';
import { useAnswerOfNow, usePage, useStore } from '../state/page.ts';
import { standing } from './asks.ts';
import { standingWords } from './standing-words.ts';

const marks = [
  ['≥', 'leaves unpriced out'],
  ['≤', 'at most'],
  ['~', 'estimated'],
  ['n/a', 'not known'],
  ['…', 'still counting'],
] as const;

export function StatusLine(): JSX.Element {
  const page = usePage();
  return (
    <footer class="status">
      <StandingWords />
      <span class="marks">
        {marks.map(([sign, meaning]) => (
          <span key={sign}>
            <b>{sign}</b> {meaning}
          </span>
        ))}
        <button type="button" onClick={() => page.palette.write('keys')}>
          <kbd>?</kbd> keys
        </button>
      </span>
    </footer>
  );
}

/** An import that was ended sends no event that would tell. */
const standingEveryMs = 15_000;

/** The position that the page has heard of, and why figures may lack something. */
function StandingWords(): JSX.Element {
  const page = usePage();
  const heard = useStore(page.heard);
  const { answer } = useAnswerOfNow(standing, standingEveryMs);
  const words = answer === null ? '' : standingWords(answer);
  return (
    <>
      {heard !== null && (
        <span>
          Event {formatCount(heard.position)}
          {heard.at !== null && `, ${formatClock(heard.at)}`}
        </span>
      )}
      <span>
        <Name of={words} unknown="" charsMax={160} />
      </span>
    </>
  );
}
