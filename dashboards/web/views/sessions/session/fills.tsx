/** What fills the window at the turn that is selected. */
import type { ContextPart, ContextWindow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { hatched } from '../../../charts/hatch.tsx';
import { formatCount } from '../../../format/count.ts';
import { Marked, NotKnown } from '../../../parts/marks.tsx';
import { Name } from '../../../parts/name.tsx';
import { Empty } from '../../../parts/section.tsx';

export function Fills({ context }: { context: ContextWindow }): JSX.Element {
  const { parts, totalTokens, source } = context.composition;
  if (parts.length === 0) return <Empty>Nothing was sent yet.</Empty>;
  const most = Math.max(...parts.map(({ tokens }) => tokens));
  return (
    <table class="fills">
      <tbody>
        {parts.map((part) => (
          <tr key={`${part.kind}:${part.name}`}>
            <td>
              <PartName part={part} />
            </td>
            <td class="bar-cell">
              <Bar part={part} most={most} />
            </td>
            <td class="number">
              {part.kind === 'unexplained' ? (
                formatCount(part.tokens)
              ) : (
                <Marked mark="estimated">{formatCount(part.tokens)}</Marked>
              )}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={2}>{source === 'provider' ? 'sent, as measured' : 'sent'}</td>
          <td class="number">
            {source === 'unknown' ? (
              <NotKnown />
            ) : (
              <Marked mark={source === 'provider' ? 'exact' : 'estimated'}>
                {formatCount(totalTokens)}
              </Marked>
            )}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

const barWidth = 96;

function Bar({ part, most }: { part: ContextPart; most: number }): JSX.Element {
  const width = Math.max(1, (barWidth * part.tokens) / Math.max(1, most));
  const look = looks[part.kind] ?? 's4';
  return (
    <svg width={barWidth} height={10} aria-hidden="true">
      {part.kind === 'unexplained' ? (
        <rect width={width} height={10} fill={hatched} />
      ) : (
        <rect class={`${look} solid`} width={width} height={10} />
      )}
    </svg>
  );
}

/** The same colours as in the chart. */
const looks: Readonly<Record<string, string>> = {
  system: 's3',
  toolDefinitions: 's3',
  assistantText: 's1',
  thinking: 's1',
  toolCalls: 's1',
  toolResults: 's2',
};

function PartName({ part: { kind, name } }: { part: ContextPart }): JSX.Element {
  const words = names[kind] ?? kind;
  if (name === '') return <>{words}</>;
  return (
    <>
      {words} of <Name of={name} />
    </>
  );
}

const names: Readonly<Record<string, string>> = {
  system: 'system prompt',
  toolDefinitions: 'tool definitions',
  user: 'prompts',
  assistantText: 'answers',
  thinking: 'thinking',
  toolCalls: 'tool calls',
  toolResults: 'tool results',
  compactionSummary: 'summary of a compaction',
  branchSummary: 'summary of a branch',
  images: 'images',
  other: 'messages',
  unexplained: 'not explained',
};
