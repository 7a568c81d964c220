/** Answer first: today and the month, then where it went, then what needs attention. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { standing } from '../../app/asks.ts';
import { useLoaded } from '../../app/loaded.ts';
import { NotLoaded } from '../../app/not-loaded.tsx';
import { ranked } from '../../charts/spend-series.ts';
import { commandOf } from '../../format/command.ts';
import { Loading } from '../../parts/marks.tsx';
import { SameNumbers } from '../../parts/same-numbers.tsx';
import { Section } from '../../parts/section.tsx';
import { useAnswer } from '../../state/page.ts';
import { periodIn } from '../../state/scope.ts';
import { createStore } from '../../state/store.ts';
import { anySessionAsk } from '../first/asks.ts';
import { ImportProgress } from '../first/import-progress.tsx';
import type { ViewProps } from '../view.ts';
import { Agents } from './agents.tsx';
import { type StackedBy, stackedBy, tableAsk, totalsAsk } from './asks.ts';
import { FirstLine } from './first-line.tsx';
import { NewestSessions } from './newest-sessions.tsx';
import { SpendChart } from './spend-chart.tsx';
import { mainBilling } from './sums.ts';
import { Models, People, Projects, Providers } from './tables.tsx';

/** A ledger without any session has a first visit in its place. */
export function Overview(props: ViewProps): JSX.Element {
  const any = useAnswer(anySessionAsk).answer;
  const importing = useAnswer(standing).answer?.importing ?? null;
  if (any !== null && any.rows.length === 0) return <First />;
  return (
    <>
      {importing !== null && <ImportProgress of={importing} />}
      <Numbers {...props} />
    </>
  );
}

/** Its code comes where it is needed: to those who just began. */
function First(): JSX.Element {
  const loaded = useLoaded(loadFirstVisit);
  if (loaded.is === 'loaded') return <loaded.part />;
  return loaded.is === 'failed' ? <NotLoaded what="This view" /> : <p class="loading">Loading</p>;
}

const loadFirstVisit = () => import('../first/first-visit.tsx').then((file) => file.FirstVisit);

function Numbers(props: ViewProps): JSX.Element {
  const { place, today } = props;
  const by = stackedBy(place);
  const names = useNames(props, by);
  const projects = useNames(props, 'project');
  const totals = useAnswer(totalsAsk(place, today)).answer;
  const billing = totals === null ? 'metered' : mainBilling(totals.rows);
  const isReady = names !== null && totals !== null;
  const [isDrawn, setDrawn] = useState(false);
  const day = useMemo(() => createStore<string | null>(null), []);
  const table = { place, today, billing, names, day };
  return (
    <>
      <h1 class="unseen">Overview</h1>
      <FirstLine {...props} isReady={isReady} />
      <div class="grid">
        <SpendChart {...props} {...{ names, day }} onDrawn={() => setDrawn(true)} />
        <Attention {...props} isReady={isDrawn} />
        <Projects {...table} projects={projects} />
        <NewestSessions {...props} />
        <div class="w5 stacked">
          {(by === 'agent' || by === 'agentKind') && <Agents {...table} />}
          {by === 'provider' && <Providers {...table} />}
          <Models {...table} />
          <People {...table} />
        </div>
      </div>
      <SameNumbers
        command={commandOf('pi-ledger report --by project', place, periodIn(place, today))}
        request={tableAsk(place, today, 'project').url}
      />
    </>
  );
}

/** Code and answer come after the rest: it reads more than everything else on the view. */
function Attention({ isReady, ...props }: ViewProps & { isReady: boolean }): JSX.Element {
  const loaded = useLoaded(loadAttention);
  if (isReady && loaded.is === 'loaded') return <loaded.part {...props} />;
  return (
    <Section title="Needs attention" width={4}>
      {loaded.is === 'failed' ? <NotLoaded what="What needs attention" /> : <Loading />}
    </Section>
  );
}

const loadAttention = () => import('./attention.tsx').then((file) => file.Attention);

/** Those that spent most first; null: not known yet. */
function useNames({ place, today }: ViewProps, by: StackedBy): readonly (string | null)[] | null {
  const { answer } = useAnswer(tableAsk(place, today, by));
  return useMemo(() => answer && ranked(answer.rows, by).map(({ name }) => name), [answer, by]);
}
