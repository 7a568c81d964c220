/** The last line: how far the ledger is, and what the marks mean. */
import type { JSX } from 'preact';
import { useAnswer, usePage } from '../state/page.ts';
import { standing } from './asks.ts';

const marks = [
  ['≥', 'leaves unpriced out'],
  ['≤', 'at most'],
  ['~', 'estimated'],
  ['n/a', 'not known'],
  ['…', 'still counting'],
] as const;

export function StatusLine(): JSX.Element {
  const page = usePage();
  const { answer } = useAnswer(standing);
  return (
    <footer class="status">
      <span>{answer === null ? '' : (answer.trouble ?? 'views are up to date')}</span>
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
