/**
 * Why a list is empty, and the one step that helps: to wait for an import, to begin, to take the
 * filter away, or a longer period.
 */
import type { JSX } from 'preact';
import { standing } from '../app/asks.ts';
import { ofAll } from '../format/count.ts';
import { useAnswer, usePage, useStore } from '../state/page.ts';
import { type Place, withParameters } from '../state/place.ts';
import { filterNames } from '../state/scope.ts';
import { anySessionAsk } from '../views/first/asks.ts';
import { Link } from './link.tsx';
import { Empty } from './section.tsx';

/** `parameter`: of a choice of the view that narrows, too. */
export function NothingFits(props: { what: string; parameter?: string }): JSX.Element {
  const page = usePage();
  const place = useStore(page.place);
  const importing = useAnswer(standing).answer?.importing ?? null;
  const any = useAnswer(anySessionAsk).answer;
  if (importing !== null)
    return (
      <Empty>
        None yet: an import has read {ofAll(importing.files, importing.filesToRead)} session files.
        Rows show as they come.
      </Empty>
    );
  if (any !== null && any.rows.length === 0)
    return (
      <Empty>
        Nothing is recorded yet. <Link view="overview">How to begin</Link>
      </Empty>
    );
  const step = stepFor(place, props.parameter);
  return (
    <Empty>
      No {props.what} {step.why}.
      {step.to !== null && (
        <>
          {' '}
          <button type="button" class="link" onClick={() => step.to !== null && page.go(step.to)}>
            {step.words}
          </button>
        </>
      )}
    </Empty>
  );
}

function stepFor(place: Place, parameter: string | undefined) {
  const { parameters } = place;
  const labels = Object.keys(parameters).filter((name) => name.startsWith('label:'));
  const narrowing = [...(parameter === undefined ? [] : [parameter]), ...filterNames, ...labels];
  const set = narrowing.filter((name) => parameters[name] !== undefined);
  if (set.length > 0) {
    const without = Object.fromEntries(set.map((name) => [name, null]));
    const why = `fits ${set.length === 1 ? 'the filter' : 'the filters'} in this period`;
    return { why, words: 'Show all', to: withParameters(place, without) };
  }
  const why = 'in this period';
  return parameters.range === 'year'
    ? { why, words: '', to: null }
    : { why, words: 'Show this year', to: withParameters(place, { range: 'year' }) };
}
