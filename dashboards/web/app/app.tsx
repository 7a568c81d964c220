/** The frame of every view. */

import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { minuteMs } from '../../../core/time/units.ts';
import { type PaletteMode, useAnswers, usePage, useStore } from '../state/page.ts';
import type { Place } from '../state/place.ts';
import { todayIn } from '../state/today.ts';
import { ledgerStartAsk } from '../views/overview/asks.ts';
import { type ViewEntry, views } from '../views/registry.ts';
import type { Today, ViewProps } from '../views/view.ts';
import { Header } from './header.tsx';
import { useLoaded } from './loaded.ts';
import { NotLoaded } from './not-loaded.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { ScopeBar } from './scope-bar.tsx';
import { SignIn } from './sign-in.tsx';
import { StatusLine } from './status-line.tsx';

export function App(): JSX.Element {
  const page = usePage();
  const place = useStore(page.place);
  const connection = useStore(page.connection);
  const palette = useStore(page.palette);
  const today = useToday(page.now, place);
  const view = views[place.view];
  useEffect(() => {
    const name = place.view === 'insights' ? null : place.id;
    document.title = `${name === '' ? '(unknown)' : (name ?? view.title)} · pi-ledger`;
  }, [place.id, view.title]);
  return (
    <>
      <Header />
      {view.isScoped && (place.id === null || place.view !== 'sessions') && (
        <ScopeBar today={today} />
      )}
      <OfflineNotice />
      <LoadedPalette mode={palette} />
      <main id="main">
        {connection.is === 'signIn' ? (
          <SignIn message={connection.message} />
        ) : (
          <View of={view} place={place} today={today} />
        )}
      </main>
      <StatusLine />
    </>
  );
}

function View({ of, ...shown }: ViewProps & { readonly of: ViewEntry }): JSX.Element | null {
  const loaded = useLoaded(of.load);
  if (loaded.is === 'failed') return <NotLoaded what="This view" />;
  return loaded.is === 'loading' ? null : <loaded.part {...shown} />;
}

/** Loaded also while it is closed. */
function LoadedPalette({ mode }: { mode: PaletteMode | null }): JSX.Element | null {
  const loaded = useLoaded(loadPalette);
  if (mode === null) return null;
  if (loaded.is === 'failed') return <NotLoaded what="The search" />;
  return loaded.is === 'loading' ? null : <loaded.part key={mode} mode={mode} />;
}

/** After the first paint, which does not wait for it. */
const loadPalette = () => import('./palette.tsx').then((file) => file.Palette);

/** Zones begin their hours at quarters of those of UTC. */
const quarterMs = 15 * minuteMs;

/** Changes when the hour does. */
function useToday(now: () => Date, place: Place): Today {
  const zone = place.parameters.tz;
  const first = useLedgerStart(place);
  const [quarter, setQuarter] = useState(() => quarterOf(now()));
  useEffect(() => {
    const timer = setInterval(() => setQuarter(quarterOf(now())), minuteMs);
    return () => clearInterval(timer);
  }, [now]);
  return useMemo(() => {
    const today = todayIn(quarter * quarterMs, zone);
    return first === null ? today : { ...today, first };
  }, [quarter, zone, first]);
}

/** The first day of all time, where that is what is shown. */
function useLedgerStart(place: Place): string | null {
  const asks = place.parameters.range === 'all' ? [ledgerStartAsk(place)] : [];
  return useAnswers(asks)[0]?.answer?.rows[0]?.day ?? null;
}

function quarterOf(date: Date): number {
  return Math.floor(date.getTime() / quarterMs);
}
