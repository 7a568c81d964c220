import type { JSX } from 'preact';
import { Link } from '../parts/link.tsx';
import { useAnswer, usePage, useStore } from '../state/page.ts';
import { shareRead } from '../views/first/progress.ts';
import { viewNames } from '../views/names.ts';
import { views } from '../views/registry.ts';
import { standing } from './asks.ts';

export function Header(): JSX.Element {
  const page = usePage();
  const place = useStore(page.place);
  return (
    <header class="bar">
      <a class="skip" href="#main">
        To the content
      </a>
      <span class="name">pi-ledger</span>
      <nav aria-label="Views">
        {viewNames.map((view) => (
          <Link key={view} view={view} class="view" current={place.view === view}>
            {views[view].title}
          </Link>
        ))}
      </nav>
      <span class="tools">
        <button type="button" class="find" onClick={() => page.palette.write('all')}>
          <span class="words">Go to, or search</span>
          <kbd>Ctrl K</kbd>
        </button>
        <Liveness />
        {page.isSignedIn() && (
          <button type="button" class="link" onClick={() => page.signIn(null)}>
            Sign out
          </button>
        )}
      </span>
    </header>
  );
}

const words = { connecting: 'connecting', live: 'live', offline: 'offline', signIn: 'signed out' };

function Liveness(): JSX.Element {
  const page = usePage();
  const { is } = useStore(page.connection);
  const importing = useAnswer(standing).answer?.importing ?? null;
  const isReading = is === 'live' && importing?.isRunning === true;
  return (
    <span class={is === 'live' && !isReading ? 'live is-live' : 'live'} role="status">
      {isReading ? `import ${Math.floor(shareRead(importing) * 100)} %` : words[is]}
    </span>
  );
}
