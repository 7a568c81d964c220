/** What no session says: how a provider is paid. One click settles all history of it. */
import type { BillingList } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { knownAmount } from '../../../../contract/amounts.ts';
import { ask } from '../../api/ask.ts';
import { moreWords } from '../../format/count.ts';
import { Money } from '../../parts/money.tsx';
import { Name, visible } from '../../parts/name.tsx';
import { Command } from '../../parts/own-command.tsx';
import { useAnswer, usePage } from '../../state/page.ts';

const billingAsk = ask('/v1/billing');

type Row = BillingList['rows'][number];
type Kind = NonNullable<Row['rule']>;

const shown = 5;
/** Until the page is opened anew. */
let isPutOff = false;

/** Nothing for those who may not say it. */
export function HowPaid(): JSX.Element | null {
  const { answer } = useAnswer(billingAsk);
  const [isLater, setLater] = useState(isPutOff);
  const rows = (answer?.rows ?? []).filter(isOpen);
  if (isLater || rows.length === 0) return null;
  const later = () => {
    isPutOff = true;
    setLater(true);
  };
  return (
    <section class="how-paid" aria-label="How is it paid?">
      {rows.slice(0, shown).map((row) => (
        <One key={row.provider} of={row} />
      ))}
      <p class="quiet">
        Session files do not say it, and one answer settles all of them.{' '}
        {rows.length > shown && (
          <>
            {moreWords(rows.length - shown, 'provider')}: <Command words="billing" />.{' '}
          </>
        )}
        <button type="button" class="link" onClick={later}>
          Ask me later
        </button>
      </p>
    </section>
  );
}

function isOpen({ provider, unknownBillingNanoUsd }: Row): boolean {
  return provider !== null && unknownBillingNanoUsd !== '0';
}

const hints: Readonly<Record<Kind, string>> = {
  metered: 'an agent here has a key for it',
  subscription: 'an agent here is signed in with a plan',
};

function One({ of }: { of: Row }): JSX.Element {
  const page = usePage();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { provider, suggested } = of;
  const { nanoUsd, isAtLeast } = knownAmount(BigInt(of.unknownBillingNanoUsd), of);
  const say = async (kind: Kind) => {
    setBusy(true);
    const body = JSON.stringify({ rules: { [provider ?? '']: kind } });
    const outcome = await page.post('/v1/billing', '', body);
    setBusy(false);
    if (outcome.is === 'failed') setProblem(`Not changed. ${outcome.problem.message}`);
    else await page.answers.refresh();
  };
  return (
    <div class="question">
      <strong>
        How is <Name of={provider} /> paid?
      </strong>
      <span>
        <Money nanoUsd={nanoUsd} mark={isAtLeast ? 'atLeast' : 'exact'} /> is not known
      </span>
      {(['metered', 'subscription'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          class={suggested === kind ? 'button' : 'button other'}
          disabled={isBusy}
          aria-label={`${visible(provider ?? '')} is paid ${words[kind].toLowerCase()}`}
          onClick={() => say(kind)}
        >
          {words[kind]}
        </button>
      ))}
      {suggested !== null && <span class="quiet">{hints[suggested]}</span>}
      {problem !== null && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

const words: Readonly<Record<Kind, string>> = { metered: 'By use', subscription: 'By a plan' };
