import type { JSX } from 'preact';
import { formatCount, ofAll } from '../../format/count.ts';
import { formatClock } from '../../format/time.ts';
import { Held, Section } from '../../parts/section.tsx';
import { useAnswer } from '../../state/page.ts';
import { standingAsk } from './asks.ts';

/** Of the session files on the collector's machine. */
export function Import(): JSX.Element {
  const standing = useAnswer(standingAsk);
  return (
    <Section title="Import">
      <Held of={standing}>
        {({ importing }) =>
          importing === null ? (
            <p>
              <span class="state good">nothing to read</span>{' '}
              <span class="quiet">
                <code>pi-ledger import</code> reads now, and lists lines that cannot be read.
              </span>
            </p>
          ) : (
            <p>
              <span class="state warn">{importing.isRunning ? 'reading' : 'interrupted'}</span>{' '}
              {ofAll(importing.files, importing.filesToRead)} files,{' '}
              {formatCount(Math.round(importing.bytes / 1e6))} of{' '}
              {formatCount(Math.round(importing.bytesToRead / 1e6))} MB, since{' '}
              {formatClock(importing.startedAt)}: sums grow until it ends.
            </p>
          )
        }
      </Held>
    </Section>
  );
}
