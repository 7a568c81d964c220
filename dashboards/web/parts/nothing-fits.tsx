/** Why a list is empty, and the one step that helps: without the filter, or a longer period. */
import type { JSX } from 'preact';
import { usePage, useStore } from '../state/page.ts';
import { type Place, withParameters } from '../state/place.ts';
import { filterNames } from '../state/scope.ts';
import { Empty } from './section.tsx';

/** `parameter`: of a choice of the view that narrows, too. */
export function NothingFits(props: { what: string; parameter: string }): JSX.Element {
  const page = usePage();
  const place = useStore(page.place);
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

function stepFor(place: Place, parameter: string) {
  const { parameters } = place;
  const set = [parameter, ...filterNames].filter((name) => parameters[name] !== undefined);
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
