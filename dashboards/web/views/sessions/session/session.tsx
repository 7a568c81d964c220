/** One session: its figures, its charts, its turns, and what filled its window. */
import type { SessionDetails } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { shortId } from '../../../format/session.ts';
import { Choices, chosen } from '../../../parts/choices.tsx';
import { visible } from '../../../parts/name.tsx';
import { SameNumbers } from '../../../parts/same-numbers.tsx';
import { Held, Section } from '../../../parts/section.tsx';
import { useAnswer, usePage } from '../../../state/page.ts';
import { type Place, withParameters } from '../../../state/place.ts';
import type { Today, ViewProps } from '../../view.ts';
import { contextAsk, detailsAsk, partAsk, seriesAsk, timelineAsk } from '../asks.ts';
import { SessionCharts } from '../chart/session-charts.tsx';
import { Beside } from './beside-turns.tsx';
import { SessionFigures } from './figures.tsx';
import { SessionHead } from './head.tsx';
import { promptsBefore } from './prompts.ts';
import { billingsOf } from './spent.ts';
import { Turns } from './turns.tsx';

export function SessionView({ place, today }: ViewProps): JSX.Element {
  const details = useAnswer(detailsAsk(place));
  return (
    <Held of={details}>{(answer) => <Known place={place} today={today} details={answer} />}</Held>
  );
}

const alongs = [
  { value: 'turns', words: 'turns' },
  { value: 'time', words: 'time, idle folded' },
] as const;

interface KnownProps {
  readonly place: Place;
  readonly today: Today;
  readonly details: SessionDetails;
}

function Known({ place, today, details }: KnownProps): JSX.Element {
  const page = usePage();
  const series = useAnswer(seriesAsk(place));
  const timeline = useAnswer(timelineAsk(place));
  const part = useAnswer(partAsk(place));
  const context = useAnswer(contextAsk(place));
  const billings = billingsOf(details);
  const billing = chosen(
    place.parameters.billing,
    billings.map((value) => ({ value })),
    billings[0] ?? 'metered',
  );
  const turn = turnIn(place);
  const select = (next: number) =>
    page.go(withParameters(place, { turn: String(next) }), 'replace');
  return (
    <>
      <SessionHead details={details} timeline={timeline.answer} today={today} />
      <SessionFigures {...{ details, billings }} context={context.answer} />
      <div class="grid">
        <Section
          title="Context, cost and time"
          picture={pictureWords(details)}
          end={
            <>
              {billings.length > 1 && (
                <Choices
                  parameter="billing"
                  word="cost"
                  among={billings.map((value) => ({ value, words: value }))}
                  otherwise={billings[0] ?? 'metered'}
                />
              )}
              <Choices parameter="along" word="along" among={alongs} otherwise="turns" />
            </>
          }
        >
          <Held of={series}>
            {(points) => (
              <Held of={timeline}>
                {(items) => (
                  <SessionCharts
                    {...{ billing, turn }}
                    series={points}
                    timeline={items}
                    part={part.answer}
                    parameters={place.parameters}
                    along={chosen(place.parameters.along, alongs, 'turns')}
                    onSelect={select}
                    onPart={(times) =>
                      page.go(withParameters(place, times ?? { from: null, to: null }))
                    }
                  />
                )}
              </Held>
            )}
          </Held>
        </Section>
        <Turns
          {...{ place, details, billings, turn }}
          series={series.answer}
          promptsBefore={promptsBefore(timeline.answer?.items ?? [], place.parameters.from)}
          onSelect={select}
        />
        <Beside {...{ place, details, turn }} series={series.answer} />
      </div>
      <SameNumbers
        command={`pi-ledger context ${shortId(details.id)}`}
        request={`/v1/context/${details.id}`}
      />
    </>
  );
}

function turnIn({ parameters }: Place): number | null {
  const turn = Number(parameters.turn);
  return Number.isInteger(turn) && turn > 0 ? turn : null;
}

/** Where its charts stand alone. */
function pictureWords({ id, project, user }: SessionDetails): string {
  const named = [project, user].flatMap((name) => (name === null ? [] : [visible(name)]));
  return [`session ${shortId(id)}`, ...named].join('; ');
}
