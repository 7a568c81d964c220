/** While session files are read: how far it is. Sums grow until it ends. */
import type { JSX } from 'preact';
import { formatCount } from '../../format/count.ts';
import { formatClock, formatDuration } from '../../format/time.ts';
import { Figure, Figures } from '../../parts/figures.tsx';
import { Meter } from '../../parts/meter.tsx';
import { formatBytes, type Importing, paceOf, shareRead } from './progress.ts';

export function ImportProgress({ of }: { of: Importing }): JSX.Element {
  const pace = paceOf(of);
  return (
    <>
      <div class="view-head">
        <h1>{of.isRunning ? 'Your history is being read' : 'Reading your history stopped'}</h1>
        <span class="quiet">
          started {formatClock(of.startedAt)};{' '}
          {of.isRunning ? 'you can close this page, it goes on' : 'it goes on with the collector'}
        </span>
      </div>
      <Figures>
        <Figure
          label="Files"
          value={formatCount(of.files)}
          unit={`of ${formatCount(of.filesToRead)}`}
          isLarge
        >
          <Meter label="Read" share={shareRead(of)} tick={null} />
          <p>
            {formatBytes(of.bytes)} of {formatBytes(of.bytesToRead)}
            {pace !== null && (
              <>
                , {formatBytes(pace.bytesPerS)}/s, about{' '}
                <strong>{formatDuration(pace.leftMs)}</strong> left
              </>
            )}
            . Sums grow until it ends.
          </p>
        </Figure>
      </Figures>
    </>
  );
}
