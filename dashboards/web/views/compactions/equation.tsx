/** Whether it paid: room made − summary − cache written anew − read again = net. */
import type { CompactionDetails } from '@pi-ledger/contract/answers';
import type { ComponentChildren, JSX } from 'preact';
import type { Amount } from '../../format/amount.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { Marked } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import { costOf, netOf } from './amounts.ts';

export function Equation({ row }: { row: CompactionDetails }): JSX.Element {
  const { net, cacheMiss } = row;
  if (net === null)
    return <p class="note">Whether it paid is not known: no answer has followed yet.</p>;
  return (
    <>
      <p class="note">{billingWords[row.billing ?? 'unknown']}</p>
      <div class="equation">
        <Term title="Room made" amount={amountOf(net.savedNanoUsd)}>
          {roomWords(row)}
        </Term>
        <Operator sign="−" words="less" />
        <Term title="Summary" amount={costOf(row)}>
          {summaryWords(row)}
        </Term>
        <Operator sign="−" words="less" />
        <Term
          title="Cache written anew"
          amount={amountOf(cacheMiss === null ? '0' : cacheMiss.costNanoUsd)}
        >
          {formatCount(cacheMiss?.missedTokens ?? 0)} tokens of the next answer
        </Term>
        <Operator sign="−" words="less" />
        <Term title="Read again" amount={amountOf(net.rereadNanoUsd)}>
          <ReadAgain row={row} />
        </Term>
        <Operator sign="=" words="is" />
        <Term title="Net" amount={netOf(row)} isChange>
          {verdictOf(row)}
        </Term>
      </div>
    </>
  );
}

const billingWords = {
  metered: 'Metered.',
  subscription: 'Subscription: list price, not billed.',
  unknown: 'How this provider is paid is not known.',
} as const;

interface TermProps {
  readonly title: string;
  readonly amount: Amount;
  readonly isChange?: boolean;
  readonly children: ComponentChildren;
}

function Term({ title, amount, isChange = false, children }: TermProps): JSX.Element {
  return (
    <div>
      <h3>{title}</h3>
      <p class="value">
        <Money {...amount} places={3} isChange={isChange} />
      </p>
      <p>{children}</p>
    </div>
  );
}

function Operator({ sign, words }: { sign: string; words: string }): JSX.Element {
  return (
    <div class="operator">
      <span aria-hidden="true">{sign}</span>
      <span class="unseen">{words}</span>
    </div>
  );
}

function amountOf(nanoUsd: string | null): Amount {
  return { nanoUsd: nanoUsd === null ? null : BigInt(nanoUsd), mark: 'exact' };
}

function roomWords({ net, savedTokens, turnsAfter }: CompactionDetails): string {
  const turns = formatCount(turnsAfter ?? 0);
  const fewer = `${formatCount(savedTokens ?? 0)} tokens fewer in each of ${turns} turns`;
  if (net === null || net.savedNanoUsd === null || net.savedTokens <= 0) return fewer;
  const perMillion = (BigInt(net.savedNanoUsd) * 1_000_000n) / BigInt(net.savedTokens);
  return `${fewer}, ${formatMoney(perMillion)} per million`;
}

function summaryWords({ summaryUsage, costSource }: CompactionDetails): string {
  if (summaryUsage === null)
    return costSource === 'unreported' ? 'the host did not report it' : 'its tokens are not known';
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = summaryUsage;
  const read = inputTokens + cacheReadTokens + cacheWriteTokens;
  const cached =
    cacheReadTokens > 0 ? `, ${formatCount(cacheReadTokens)} of them from the cache` : '';
  return `${formatCount(read)} tokens read${cached}, ${formatCount(outputTokens)} written`;
}

const pathsMax = 4;

function ReadAgain({ row }: { row: CompactionDetails }): JSX.Element {
  const { regretReads, regretTokens, regretPaths } = row;
  if (regretReads === null || regretReads === 0) return <>nothing within 10 turns</>;
  const paths = regretPaths ?? [];
  return (
    <>
      {formatCount(regretReads)} {regretReads === 1 ? 'file' : 'files'},{' '}
      <Marked mark="estimated">{formatCount(regretTokens ?? 0)}</Marked> tokens
      {paths.slice(0, pathsMax).map((path, index) => (
        <span key={path}>
          {index === 0 ? ': ' : ', '}
          <Name of={path} />
        </span>
      ))}
      {paths.length > pathsMax && ` and ${formatCount(paths.length - pathsMax)} more`}
    </>
  );
}

const leftOut: Readonly<Record<string, string>> = {
  summary: 'the summary',
  cacheMiss: 'the cache',
  rereads: 'what was read again',
};

function verdictOf({ net, netNanoUsd, paidFromTurn }: CompactionDetails): string {
  if (net === null || netNanoUsd === null) return 'its price is not known';
  if (net.leavesOut.length > 0) {
    const names = net.leavesOut.map((name) => leftOut[name] ?? name);
    return `at most: the cost of ${names.join(', ')} is not known`;
  }
  if (BigInt(netNanoUsd) < 0n) return 'it has not paid so far';
  const since =
    paidFromTurn === null
      ? 'It paid.'
      : `It paid from turn ${formatCount(paidFromTurn)} after it on.`;
  return `${since} Whether the agent got worse, nobody can say`;
}
