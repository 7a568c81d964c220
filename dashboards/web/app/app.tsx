/** The frame of every view. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { usePage, useStore } from '../state/page.ts';
import { todayIn } from '../state/today.ts';
import { views } from '../views/registry.ts';
import type { Today } from '../views/view.ts';
import { Header } from './header.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { ScopeBar } from './scope-bar.tsx';
import { SignIn } from './sign-in.tsx';
import { StatusLine } from './status-line.tsx';

export function App(): JSX.Element {
  const page = usePage();
  const place = useStore(page.place);
  const connection = useStore(page.connection);
  const palette = useStore(page.palette);
  const today = useToday(page.now, place.parameters.tz);
  const view = views[place.view];
  const Shown = useLoaded(view.load);
  const Palette = useLoaded(loadPalette);
  useEffect(() => {
    document.title = `${place.id === '' ? '(unknown)' : (place.id ?? view.title)} · pi-ledger`;
  }, [place.id, view.title]);
  return (
    <>
      <Header />
      {view.isScoped && place.id === null && <ScopeBar today={today} />}
      {view.isScoped && place.id !== null && place.view === 'projects' && (
        <ScopeBar today={today} />
      )}
      <OfflineNotice />
      <main id="main">
        {connection.is === 'signIn' ? (
          <SignIn message={connection.message} />
        ) : (
          Shown !== null && <Shown place={place} today={today} />
        )}
      </main>
      <StatusLine />
      {palette !== null && Palette !== null && <Palette key={palette} mode={palette} />}
    </>
  );
}

/** After the first paint, which does not wait for it. */
const loadPalette = () => import('./palette.tsx').then((file) => file.Palette);

/** Null: it is being loaded. */
function useLoaded<Part>(load: () => Promise<Part>): Part | null {
  const [loaded, setLoaded] = useState<{ of: typeof load; part: Part } | null>(null);
  useEffect(() => {
    let isWanted = true;
    void load().then((part) => isWanted && setLoaded({ of: load, part }));
    return () => {
      isWanted = false;
    };
  }, [load]);
  return loaded?.of === load ? loaded.part : null;
}

const minuteMs = 60_000;
/** Zones begin their hours at quarters of those of UTC. */
const quarterMs = 15 * minuteMs;

/** Changes when the hour does. */
function useToday(now: () => Date, zone: string | undefined): Today {
  const [quarter, setQuarter] = useState(() => quarterOf(now()));
  useEffect(() => {
    const timer = setInterval(() => setQuarter(quarterOf(now())), minuteMs);
    return () => clearInterval(timer);
  }, [now]);
  return useMemo(() => todayIn(quarter * quarterMs, zone), [quarter, zone]);
}

function quarterOf(date: Date): number {
  return Math.floor(date.getTime() / quarterMs);
}
