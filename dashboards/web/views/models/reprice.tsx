/** The same tokens at another model's prices. Asked when one is chosen: every record is read. */

import type { ModelRow, Repriced } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Posted } from '../../api/client.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { Loading } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { Name, visible } from '../../parts/name.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { Command } from '../../parts/own-command.tsx';
import { Empty, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { useAnswer, usePage } from '../../state/page.ts';
import { withParameters } from '../../state/place.ts';
import type { ViewProps } from '../view.ts';
import { chargesAsk, repricedBesides, repriceQuery } from './asks.ts';
import { keyOfModel } from './models-table.tsx';
import { type Prices, priceList, recordedPrices } from './prices.ts';
import { difference, recorded, repriced, repricedColumns } from './repriced-table.tsx';

const title = 'The same tokens at another price';

interface RepriceProps extends ViewProps {
  /** They are null until they are known. */
  readonly models: readonly ModelRow[] | null;
}

export function Reprice({ models, ...view }: RepriceProps): JSX.Element {
  const page = usePage();
  const { place } = view;
  const named = (models ?? []).filter(({ provider, model }) => provider !== null && model !== null);
  const chosen = named.find((row) => keyOfModel(row) === place.parameters.as);
  const picker = (
    <select
      aria-label="Priced as"
      value={place.parameters.as ?? ''}
      onChange={({ currentTarget: { value } }) =>
        page.go(withParameters(place, { as: value === '' ? null : value }), 'replace')
      }
    >
      <option value="">a model</option>
      {named.map((row) => (
        <option key={keyOfModel(row)} value={keyOfModel(row)}>
          {visible(row.model ?? '').slice(0, 60)}
        </option>
      ))}
    </select>
  );
  if (models !== null && named.length === 0)
    return (
      <Section title={title} width={5}>
        <NothingFits what="answer of a known model" />
      </Section>
    );
  return (
    <Section title={title} note={repricedBesides(place)} end={<>priced as {picker}</>} width={5}>
      {chosen === undefined ? (
        <Empty>
          Choose one: what all models would have cost at its prices. Price lists of your own:{' '}
          <Command words="reprice --catalog FILE --by model" />
        </Empty>
      ) : (
        <AtPrices {...view} models={named} as={chosen} />
      )}
    </Section>
  );
}

interface AtPricesProps extends ViewProps {
  readonly models: readonly ModelRow[];
  readonly as: ModelRow;
}

function AtPrices({ place, today, models, as }: AtPricesProps): JSX.Element {
  const { answer, problem } = useAnswer(chargesAsk(place, today, as));
  const isWhole = answer !== null && answer.next === null;
  const prices = useMemo(
    () => (answer === null || !isWhole ? null : recordedPrices(answer.rows)),
    [answer, isWhole],
  );
  const body = prices === null ? null : JSON.stringify(priceList(models, prices));
  const posted = usePosted(repriceQuery(place, today), body);
  if (answer !== null && prices === null)
    return (
      <Empty>
        <Name of={as.model} />{' '}
        {isWhole
          ? 'has no price of its own in this period.'
          : 'has too many days in this period: a shorter one has its price.'}
      </Empty>
    );
  const refused = problem ?? (posted?.is === 'failed' ? posted.problem : null);
  if (refused !== null)
    return (
      <p class="problem" role="alert">
        {refused.message}
      </p>
    );
  if (prices === null || posted?.is !== 'answered') return <Loading />;
  return <Result answer={posted.body} prices={prices} model={as.model} />;
}

interface ResultProps {
  readonly answer: Repriced;
  readonly prices: Prices;
  readonly model: string | null;
}

function Result({ answer, prices, model }: ResultProps): JSX.Element {
  return (
    <>
      <Table
        name="repriced"
        label={title}
        columns={repricedColumns}
        rows={answer.rows}
        keyOf={(row) => JSON.stringify([row.provider, row.model, row.billing])}
        sort={{ column: '', isUp: false }}
        first={10}
      />
      <ul class="sums">
        {answer.totals.map((total) => (
          <li key={total.billing}>
            In all, {total.billing}: <Money {...recorded(total)} />, would be{' '}
            <Money {...repriced(total)} />, <Money {...difference(total)} isChange />
          </li>
        ))}
      </ul>
      <p class="note">
        <Name of={model} /> was charged ~{usd(prices.input)} for a million tokens of input, ~
        {usd(prices.output)} of output, ~{usd(prices.cache_read)} read from the cache, ~
        {usd(prices.cache_write)} written; what it never did counts as input. Another model would
        need other tokens; nothing recorded changes.
        {answer.sealedRecords > 0 &&
          ` ${formatCount(answer.sealedRecords)} sealed records are out.`}
      </p>
    </>
  );
}

function usd(price: number): string {
  return formatMoney(BigInt(Math.round(price * 1e9)));
}

/** Returns null while the answer is on its way, or when there is nothing to ask. */
function usePosted(query: string, body: string | null): Posted<Repriced> | null {
  const { post } = usePage();
  const [held, setHeld] = useState<{ of: string; posted: Posted<Repriced> } | null>(null);
  const key = `${query} ${body}`;
  useEffect(() => {
    if (body === null) return;
    let isWanted = true;
    void post('/v1/reprice', query, body).then((posted) => {
      if (isWanted) setHeld({ of: key, posted });
    });
    return () => {
      isWanted = false;
    };
  }, [post, query, body, key]);
  return held?.of === key ? held.posted : null;
}
