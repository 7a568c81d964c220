/** The other kinds of money, where there is some, below a figure of one kind. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { billings } from '../../../../contract/answers/billings.ts';
import { amountOfAll, billingWords, hasAmount } from '../../format/spend.ts';
import { Money } from '../../parts/money.tsx';
import { counted, useIsCounting } from './counting.ts';

const words: Readonly<Record<Billing, string>> = {
  ...billingWords,
  subscription: `${billingWords.subscription}, list price`,
};

interface OtherMoneyProps {
  readonly of: readonly UsageFigures[];
  readonly beside: Billing;
}

export function OtherMoney({ of, beside }: OtherMoneyProps): JSX.Element {
  const isCounting = useIsCounting();
  const others = billings.filter((each) => each !== beside && hasAmount(of, each));
  return (
    <>
      {others.map((billing) => (
        <p key={billing}>
          <Money {...counted(amountOfAll(of, billing), isCounting)} /> {words[billing]}
        </p>
      ))}
    </>
  );
}
