/** Used, what is likely at the end, and the limit, on one scale. */
import type { Budget } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { shareText } from '../../../../core/text/share-text.ts';
import { hatched } from '../../charts/hatch.tsx';
import { isPale, numberOf } from '../../format/budget.ts';

/** The limit stands left of the right end, so that what is beyond it shows. */
const room = 1.06;

type BudgetBarProps = Pick<Budget, 'name' | 'used' | 'usedShare' | 'limit' | 'unit' | 'forecast'>;

export function BudgetBar({ name, used, usedShare, limit, unit, forecast }: BudgetBarProps) {
  const [usedNumber, limitNumber] = [numberOf(used ?? '0'), numberOf(limit)];
  const likely = numberOf(forecast?.middle ?? '0');
  const most = Math.max(usedNumber, limitNumber, likely) * room;
  const percent = (value: number) => `${most > 0 ? (100 * value) / most : 0}%`;
  const words = usedShare === null ? 'not known' : `${shareText(usedShare)} of the limit`;
  return (
    <svg class="budget-bar" height={14} role="img" aria-label={`${name}: ${words}`}>
      <rect class="ground" y={3} width="100%" height={8} />
      {likely > usedNumber && (
        <rect
          fill={hatched}
          x={percent(usedNumber)}
          y={3}
          width={percent(likely - usedNumber)}
          height={8}
        />
      )}
      <rect
        class={`s1 ${isPale(unit) ? 'pale' : 'solid'}`}
        y={3}
        width={percent(usedNumber)}
        height={8}
      />
      <Limit at={percent(limitNumber)} />
    </svg>
  );
}

function Limit({ at }: { at: string }): JSX.Element {
  return <rect class="limit-tick" x={at} width={2} height={14} />;
}
