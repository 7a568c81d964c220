import type { JSX } from 'preact';
import { formatClock } from '../format/time.ts';
import { usePage, useStore } from '../state/page.ts';

/** Nothing, while the collector answers. */
export function OfflineNotice(): JSX.Element | null {
  const page = usePage();
  const connection = useStore(page.connection);
  if (connection.is !== 'offline') return null;
  return (
    <p class="notice" role="alert">
      <span class="state warn">Collector stopped.</span> Numbers of {formatClock(connection.since)}.
      The page looks again every 5 s.
    </p>
  );
}
