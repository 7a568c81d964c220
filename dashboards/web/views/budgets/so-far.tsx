/** The chart of one budget. */
import type { Budget } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { daysOf, moneyWords, periodWords } from '../../format/budget.ts';
import { formatDays, formatMonth } from '../../format/time.ts';
import { Name } from '../../parts/name.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { useAnswer, usePage } from '../../state/page.ts';
import { clockIn } from '../../state/today.ts';
import { stepsAsk } from './asks.ts';
import { BudgetChart } from './budget-chart.tsx';
import { Scope } from './budget-table.tsx';
import type { Steps } from './steps.ts';

export interface SoFarProps {
  readonly budget: Budget;
  readonly steps: Steps;
  readonly today: string;
}

export function SoFar({ budget, steps, today }: SoFarProps): JSX.Element {
  const rows = useAnswer(stepsAsk(budget, steps));
  const nowMs = usePage().now().getTime();
  const days = daysOf(budget, (ms, zone) => clockIn(ms, zone).day);
  const { forecast, noForecast } = budget;
  return (
    <Section
      title={`Sum so far, ${periodWords(budget, days)}`}
      note={
        <>
          <Name of={budget.name} />: <Scope of={budget} hasMore />
          {moneyWords[budget.unit]};{' '}
          {forecast === null
            ? `no forecast${noForecast === null ? '' : `: ${noForecast}`}`
            : `hatched: forecast, ${forecast.basis}`}
        </>
      }
      width={8}
      picture=""
    >
      <Held of={rows}>
        {(answer) => (
          <BudgetChart
            {...{ budget, steps, nowMs, today }}
            rows={answer.rows}
            before={beforeWords(budget, steps)}
          />
        )}
      </Held>
    </Section>
  );
}

/** `October` */
function beforeWords({ per }: Budget, { before, since }: Steps): string {
  if (per === 'day') return 'yesterday';
  return per === 'month' ? formatMonth(since) : formatDays(since, before.at(-1) ?? since);
}
