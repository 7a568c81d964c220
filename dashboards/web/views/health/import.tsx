import type { Importing, LeftOut } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatCount, ofAll } from '../../format/count.ts';
import { formatClock } from '../../format/time.ts';
import { Command } from '../../parts/own-command.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { useAnswer } from '../../state/page.ts';
import { standingAsk } from './asks.ts';

/** Shows how the import of session files on the collector's machine goes. */
export function Import(): JSX.Element {
  const standing = useAnswer(standingAsk);
  return (
    <Section title="Import">
      <Held of={standing}>
        {({ importing, leftOut }) => (
          <>
            {importing !== null && <Running of={importing} />}
            {leftOut.count > 0 && <NotRead of={leftOut} />}
            {importing === null && leftOut.count === 0 && <AllRead />}
          </>
        )}
      </Held>
    </Section>
  );
}

function AllRead(): JSX.Element {
  return (
    <p>
      <span class="state good">nothing to read</span>{' '}
      <span class="quiet">
        <Command words="import" /> reads now, and lists lines that cannot be read.
      </span>
    </p>
  );
}

function Running({ of }: { of: Importing }): JSX.Element {
  return (
    <p>
      <span class="state warn">{of.isRunning ? 'reading' : 'interrupted'}</span>{' '}
      {ofAll(of.files, of.filesToRead)} files, {formatCount(Math.round(of.bytes / 1e6))} of{' '}
      {formatCount(Math.round(of.bytesToRead / 1e6))} MB, since {formatClock(of.startedAt)}: sums
      grow until it ends.
    </p>
  );
}

function NotRead({ of }: { of: LeftOut }): JSX.Element {
  return (
    <p>
      <span class="state bad">
        {formatCount(of.count)} {of.count === 1 ? 'line' : 'lines'} not read
      </span>{' '}
      in {formatCount(of.files)} {of.files === 1 ? 'file' : 'files'}: they may hold spend that is in
      no sum. <Command words="import" /> lists them.
    </p>
  );
}
