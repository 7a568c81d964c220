/** Which days and whose spend the view shows. */
import type { JSX } from 'preact';
import { formatDay } from '../format/time.ts';
import { Name } from '../parts/name.tsx';
import { usePage, useStore } from '../state/page.ts';
import { isPeriod, type Period, periodOf, rangeDefault, rangeOf, ranges } from '../state/period.ts';
import { withParameters } from '../state/place.ts';
import { beforeWords, type FilterName, filterNames, periodIn } from '../state/scope.ts';
import type { Today } from '../views/view.ts';

export function ScopeBar({ today }: { today: Today }): JSX.Element {
  const page = usePage();
  const place = useStore(page.place);
  const period = periodIn(place, today);
  const named = place.parameters.range ?? rangeDefault;
  const isNamed = isPeriod(named, today.day);
  const range = isNamed ? named : rangeDefault;
  const zone = place.parameters.tz;
  const isListed = ranges.some((each) => each === range);
  const set = filterNames.filter((name) => place.parameters[name] !== undefined);
  const labels = Object.keys(place.parameters).filter((name) => name.startsWith('label:'));
  return (
    <div class="scope">
      <select
        aria-label="Period"
        class={range === rangeDefault ? undefined : 'set'}
        value={isListed ? range : chosenDays}
        onChange={({ currentTarget: { value } }) =>
          page.go(withParameters(place, { range: value === chosenDays ? rangeOf(period) : value }))
        }
      >
        {ranges.map((each) => (
          <option key={each} value={each}>
            {periodOf(each, today.day).words}
          </option>
        ))}
        <option value={chosenDays}>Choose days</option>
      </select>
      {!isListed && <ChosenDays period={period} today={today.day} />}
      {[...set, ...labels].map((name) => (
        <button
          key={name}
          type="button"
          class="filter set"
          title={`Remove the filter ${name}`}
          onClick={() => page.go(withParameters(place, { [name]: null }))}
        >
          {name}: <Name of={place.parameters[name] ?? ''} /> <span aria-hidden="true">×</span>
          <span class="unseen">, remove</span>
        </button>
      ))}
      {filterNames
        .filter((name) => !set.includes(name))
        .map((name) => (
          <button key={name} type="button" class="filter" onClick={() => page.palette.write(name)}>
            {all[name]}
          </button>
        ))}
      <span class="what">
        {!isNamed && <strong>The address named no period that can be shown. </strong>}
        {formatDay(period.since, today.day)} to {formatDay(period.until, today.day)}, each{' '}
        {zone === undefined ? (
          <>
            in the spender’s own day
            {period.until < period.latest &&
              `, with what is already ${formatDay(period.latest, today.day)}`}
          </>
        ) : (
          <>
            in the time zone <Name of={zone} />
          </>
        )}
        {range !== 'all' && `; compared with ${beforeWords(place, today)}`}
      </span>
    </div>
  );
}

const chosenDays = 'days';

/** The browser's own calendars. What ends before it begins has the day that was just chosen. */
function ChosenDays({ period, today }: { period: Period; today: string }): JSX.Element {
  const page = usePage();
  const place = useStore(page.place);
  const choose = (changed: { since?: string; until?: string }) => {
    const [day = ''] = Object.values(changed);
    if (day === '') return;
    const { since, until } = { ...period, ...changed };
    const days = since <= until ? { since, until } : { since: day, until: day };
    page.go(withParameters(place, { range: rangeOf(days) }));
  };
  return (
    <span class="days">
      <input
        type="date"
        aria-label="First day"
        max={today}
        value={period.since}
        onChange={({ currentTarget }) => choose({ since: currentTarget.value })}
      />{' '}
      to{' '}
      <input
        type="date"
        aria-label="Last day"
        max={today}
        value={period.until}
        onChange={({ currentTarget }) => choose({ until: currentTarget.value })}
      />
    </span>
  );
}

const all: Readonly<Record<FilterName, string>> = {
  project: 'All projects',
  user: 'All people',
  provider: 'All providers',
  model: 'All models',
  host: 'All hosts',
};
