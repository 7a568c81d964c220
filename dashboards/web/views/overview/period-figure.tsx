/** The chosen period, which is the first figure: all of it, against as much time before. */
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { amountOf } from '../../format/spend.ts';
import { Figure } from '../../parts/figures.tsx';
import { Loading } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { Percent } from '../../parts/percent.tsx';
import { useAnswer } from '../../state/page.ts';
import { beforeIn, beforeWords, periodIn } from '../../state/scope.ts';
import type { ViewProps } from '../view.ts';
import { beforeAsk, tableAsk } from './asks.ts';
import { useBefore } from './before.ts';
import { changeOf } from './compared.ts';
import { counted, useIsCounting } from './counting.ts';
import { OtherMoney } from './other-money.tsx';
import { moneyUnits } from './sums.ts';

export interface PeriodFigureProps extends ViewProps {
  readonly billing: Billing;
}

export function PeriodFigure({ place, today, billing }: PeriodFigureProps): JSX.Element {
  const now = useAnswer(tableAsk(place, today, 'project')).answer?.total;
  const before = useBefore(place, beforeAsk(place, today, 'project'), beforeIn(place, today).since);
  const isCounting = useIsCounting();
  const period = periodIn(place, today);
  return (
    <Figure
      label={period.words}
      value={
        now === undefined ? <Loading /> : <Money {...counted(amountOf(now, billing), isCounting)} />
      }
      unit={moneyUnits[billing]}
      isLarge
    >
      {now !== undefined && before !== null && before !== 'nothing' && (
        <p>
          <strong>
            <Percent of={changeOf(now, before.total, billing, isCounting)} />
          </strong>{' '}
          against {beforeWords(place, today)}
        </p>
      )}
      {before === 'nothing' && <p>nothing to compare with before it</p>}
      {now !== undefined && <OtherMoney of={[now]} beside={billing} />}
    </Figure>
  );
}
