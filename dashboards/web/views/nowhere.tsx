/** What an address shows that no view has. */
import type { JSX } from 'preact';
import { Link } from '../parts/link.tsx';
import { visible } from '../parts/name.tsx';

export function Nowhere(): JSX.Element {
  return (
    <>
      <h1>No such page</h1>
      <p class="empty">
        Nothing is at <code>{visible(location.pathname).slice(0, 200)}</code>.{' '}
        <Link view="overview">Overview</Link>
      </p>
    </>
  );
}
