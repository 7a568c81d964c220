/** One project: what it costs, by what, and what a session costs there. */
import type { JSX } from 'preact';
import { formatCount } from '../../format/count.ts';
import { formatDay } from '../../format/time.ts';
import { Copy } from '../../parts/copy.tsx';
import { Name } from '../../parts/name.tsx';
import { SameNumbers } from '../../parts/same-numbers.tsx';
import { scopeWords } from '../../parts/scope-words.ts';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { useAnswer } from '../../state/page.ts';
import type { ViewProps } from '../view.ts';
import { costsAsk, firstDayAsk, lastDayAsk, namesAsk, peopleAsk } from './asks.ts';
import { commandOfProject } from './command.ts';
import { ProjectCompactions } from './project-compactions.tsx';
import { ProjectFigures } from './project-figures.tsx';
import { ProjectParts } from './project-parts.tsx';
import { ProjectSessions } from './project-sessions.tsx';
import { ProjectSpend } from './project-spend.tsx';
import { sessionCosts } from './session-costs.ts';
import { SessionDots } from './session-dots.tsx';

export function Project(view: ViewProps): JSX.Element {
  return (
    <>
      <Head {...view} />
      <ProjectFigures {...view} />
      <div class="grid">
        <ProjectSpend {...view} />
        <Costs {...view} />
        <div class="w5 column">
          <ProjectParts {...view} />
          <ProjectCompactions {...view} />
        </div>
        <ProjectSessions {...view} />
      </div>
      <SameNumbers
        command={commandOfProject(view.place, view.today, 'branch')}
        request={namesAsk(view.place, view.today, 'branch').url}
      />
    </>
  );
}

function Head({ place, today }: ViewProps): JSX.Element {
  const branches = useAnswer(namesAsk(place, today, 'branch')).answer;
  const people = useAnswer(peopleAsk(place, today)).answer;
  const firstDay = useAnswer(firstDayAsk(place)).answer?.rows[0]?.day;
  const lastDay = useAnswer(lastDayAsk(place)).answer?.rows[0]?.lastDay;
  const words = [
    branches && counted(branches, 'branch', 'branches'),
    people && counted(people, 'person', 'people'),
    typeof firstDay === 'string' && `first seen ${formatDay(firstDay, today.day)}`,
    typeof lastDay === 'string' && `last seen ${formatDay(lastDay, today.day)}`,
  ].filter((each) => typeof each === 'string');
  return (
    <div class="view-head">
      <h1>
        <Name of={place.id} unknown="(unknown project)" />
      </h1>
      <span class="note">{words.join(' · ')}</span>
      <span class="end">
        {place.id !== '' && (
          <Copy words="Rename or merge: copy a rule" text={() => ruleFor(place.id ?? '')} />
        )}
        <Copy words="Copy link" text={() => location.href} />
      </span>
    </div>
  );
}

interface Listed {
  readonly rows: readonly unknown[];
  readonly next: string | null;
}

function counted({ rows, next }: Listed, one: string, many: string): string {
  const least = next === null ? '' : 'at least ';
  return `${least}${formatCount(rows.length)} ${rows.length === 1 ? one : many}`;
}

/** For `projects` in `config.json`. */
function ruleFor(project: string): string {
  return JSON.stringify({ match: project, as: 'NEW NAME' });
}

function Costs({ place, today }: ViewProps): JSX.Element {
  const answered = useAnswer(costsAsk(place, today));
  const { answer } = answered;
  const notKnown = answer?.next === null ? sessionCosts(answer.rows).notKnown : 0;
  const more = notKnown === 0 ? '' : `; ${formatCount(notKnown)} more: cost not known`;
  return (
    <Section
      title="What a session costs"
      note={`each dot one session${more}`}
      picture={scopeWords(place, today)}
      width={4}
    >
      <Held of={answered}>
        {({ rows, next }) => {
          const costs = sessionCosts(rows);
          if (next !== null)
            return <Empty>More than a thousand sessions: choose a shorter period.</Empty>;
          if (costs.costs.length === 0) return <Empty>No session has a known cost.</Empty>;
          return <SessionDots costs={costs} place={place} />;
        }}
      </Held>
    </Section>
  );
}
