/** Why there are no bars, and one step that helps. */

import type { JSX } from 'preact';
import { standing } from '../../app/asks.ts';
import { formatShare, ofAll } from '../../format/count.ts';
import { Link } from '../../parts/link.tsx';
import { Command } from '../../parts/own-command.tsx';
import { Empty } from '../../parts/section.tsx';
import { useAnswer } from '../../state/page.ts';
import { periodOf } from '../../state/period.ts';
import type { ViewProps } from '../view.ts';
import { historyAsk } from './asks.ts';

export function NothingSpent({ place, today }: ViewProps): JSX.Element {
  const importing = useAnswer(standing).answer?.importing ?? null;
  const recent = useAnswer(historyAsk(place, today)).answer?.rows.length;
  if (importing !== null) {
    const { files, filesToRead, bytes, bytesToRead } = importing;
    const share = formatShare(bytes, bytesToRead);
    return (
      <Empty>
        An import is under way: {ofAll(files, filesToRead)} files, {share} of their bytes. Numbers
        show as they come.
      </Empty>
    );
  }
  const other = place.parameters.range === '90d' ? 'year' : '90d';
  return (
    <Empty>
      Nothing was spent in these days.{' '}
      <Link view="overview" parameters={{ range: other }}>
        {periodOf(other, today.day).words}
      </Link>
      {recent === 0 && (
        <>
          {' '}
          Nothing in the last two months either: <Command words="import" /> reads the session files
          that are on this machine, <Command words="doctor" /> says what is set up.
        </>
      )}
    </Empty>
  );
}
