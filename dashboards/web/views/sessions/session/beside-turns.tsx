import type { ContextSeries, SessionDetails } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { Held, Section } from '../../../parts/section.tsx';
import { useAnswer } from '../../../state/page.ts';
import type { Place } from '../../../state/place.ts';
import { contextAsk, treeAsk } from '../asks.ts';
import { CacheMisses, LargestResults, resultsShown, Tree } from './beside.tsx';
import { Fills } from './fills.tsx';
import { counted } from './words.ts';

export interface BesideProps {
  readonly place: Place;
  readonly details: SessionDetails;
  readonly series: ContextSeries | null;
  readonly turn: number | null;
}

export function Beside(props: BesideProps): JSX.Element {
  const { place, details, series, turn } = props;
  const entry = entryOf(series, turn);
  const context = useAnswer(contextAsk(place, entry));
  const tree = useAnswer(treeAsk(details.rootSessionId));
  const related = tree.answer?.rows ?? [];
  const results = resultsShown(context.answer?.largestResults ?? []);
  const misses = context.answer?.cacheMisses.count ?? 0;
  return (
    <div class="w4 stack">
      <Section title="What fills the window" note={entry === undefined ? 'now' : `turn ${turn}`}>
        <Held of={context}>{(answer) => <Fills context={answer} />}</Held>
      </Section>
      <Section
        title="Largest results"
        note={results.areInContext ? 'still in the window at the end' : 'none still in the window'}
      >
        <Held of={context}>{(answer) => <LargestResults context={answer} />}</Held>
      </Section>
      <Section title="Cache misses" note={misses === 0 ? undefined : counted(misses, 'turn')}>
        <Held of={context}>{(answer) => <CacheMisses context={answer} />}</Held>
      </Section>
      {related.length > 1 && (
        <Section title="Tree" note={counted(related.length, 'session')}>
          <Tree rows={related} id={details.id} />
        </Section>
      )}
    </div>
  );
}

/** The entry of the turn, among the points that are there. */
function entryOf(series: ContextSeries | null, turn: number | null): string | undefined {
  if (turn === null) return undefined;
  return series?.points.find((point) => point.kind === 'turn' && point.turn >= turn)?.entryId;
}
