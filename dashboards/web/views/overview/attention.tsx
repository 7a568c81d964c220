import type { Insight, Insights } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { commandOf, withoutZone } from '../../format/command.ts';
import { formatClock } from '../../format/time.ts';
import { Link } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { visible } from '../../parts/name.tsx';
import { CopyCommand } from '../../parts/own-command.tsx';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { useAnswerOfNow, usePage } from '../../state/page.ts';
import type { ViewProps } from '../view.ts';
import { insightsAsk, insightsPeriod } from './asks.ts';
import { groupsOf, type InsightGroup, linkOf } from './attention.ts';
import { BudgetAlarms, useAlarms } from './budget-alarms.tsx';

/** A large answer may be older than the newest events: `readAt` says so. */
const askedAgainMs = 20_000;

/** Asked alone. */
export function Attention({ place, today }: ViewProps): JSX.Element {
  const insights = useAnswerOfNow(insightsAsk(place, today), askedAgainMs);
  const alarms = useAlarms();
  const [problem, setProblem] = useState<string | null>(null);
  const command = commandOf('pi-ledger insights', place, insightsPeriod(place, today), withoutZone);
  return (
    <Section
      title="Needs attention"
      note={insights.answer && insights.answer.rows.length + alarms.length}
      width={4}
      end={<CopyCommand of={() => command} />}
    >
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <BudgetAlarms alarms={alarms} />
      <Held of={insights}>{(answer) => <Groups of={answer} onProblem={setProblem} />}</Held>
    </Section>
  );
}

interface GroupsProps {
  readonly of: Insights;
  onProblem(message: string): void;
}

/** Each billing shows at most this many at first. */
const shownEach = 3;

function Groups({ of, onProblem }: GroupsProps): JSX.Element {
  const { rows, hiddenRows, rowsLeftOut } = of;
  const [isWhole, setWhole] = useState(false);
  const groups = groupsOf(rows);
  const hasOne = groups.filter(({ billing }) => billing !== null).length < 2;
  if (rows.length === 0)
    return (
      <>
        <Empty>Nothing stands out in these days.</Empty>
        <Incomplete of={of} />
      </>
    );
  return (
    <>
      {groups.map((group) => (
        <div key={group.billing}>
          {!(hasOne && group.billing === 'metered') && <h3>{groupWords(group)}</h3>}
          <ol class="attention">
            {group.rows.slice(0, isWhole ? undefined : shownEach).map((row) => (
              <Item key={row.id} of={row} onProblem={onProblem} />
            ))}
          </ol>
        </div>
      ))}
      <p class="more">
        {!isWhole && groups.some((group) => group.rows.length > shownEach) && (
          <button type="button" class="link" onClick={() => setWhole(true)}>
            All {rows.length}
          </button>
        )}
        {hiddenRows > 0 && ` ${hiddenRows} hidden.`}
        {rowsLeftOut > 0 && ` ${rowsLeftOut} more by the command.`}
      </p>
      <Incomplete of={of} />
    </>
  );
}

/** What was not looked at. */
function Incomplete({ of: { readAt, leftOut } }: { of: Insights }): JSX.Element | null {
  const asOf = readAt === null ? [] : [`as of ${formatClock(readAt)}`];
  const words = [...asOf, ...leftOut].join('; ');
  return words === '' ? null : <p class="more">{`${words[0]?.toUpperCase()}${words.slice(1)}.`}</p>;
}

function groupWords({ billing }: InsightGroup): string {
  if (billing === null) return 'Amount not known';
  if (billing === 'metered') return 'Metered';
  return billing === 'subscription'
    ? 'Subscription: list price, not billed'
    : 'Not known how it is billed';
}

function Item({ of, onProblem }: { of: Insight; onProblem(message: string): void }): JSX.Element {
  const page = usePage();
  const link = linkOf(of);
  const nanoUsd = of.nanoUsd === null ? null : BigInt(of.nanoUsd);
  const hide = async () => {
    const outcome = await page.hideInsight(of.id);
    if (outcome.is === 'failed') onProblem(`Not hidden. ${outcome.problem.message}`);
    else page.answers.refresh();
  };
  return (
    <li>
      <span class="amount">
        <Money nanoUsd={nanoUsd} mark={of.bound} isChange={of.isChange} />
      </span>
      <span class="title">
        <bdi>{visible(of.title)}</bdi>
      </span>
      <span class="go">
        {link === null ? (
          <CopyCommand of={() => of.command} />
        ) : (
          <Link view={link.view} id={link.id} parameters={link.parameters}>
            {link.words}
          </Link>
        )}{' '}
        <button
          type="button"
          class="quiet"
          aria-label={`Hide: ${visible(of.title)}`}
          onClick={hide}
        >
          hide
        </button>
      </span>
      {of.reason !== null && (
        <span class="why">
          <bdi>{visible(of.reason)}</bdi>
        </span>
      )}
    </li>
  );
}
