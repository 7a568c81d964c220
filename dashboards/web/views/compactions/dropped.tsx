/** What a compaction took out of the window, by kind, as bars. */
import type { CompactionDetails, ContextPart } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatCount } from '../../format/count.ts';
import { Marked } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';

const partsMax = 10;
const widthPx = 160;

export function Dropped({ row: { dropped } }: { row: CompactionDetails }): JSX.Element {
  if (dropped === null || dropped.messages === 0)
    return (
      <>
        <h3>Dropped</h3>
        <p class="note">{dropped === null ? 'Not known.' : 'Nothing.'}</p>
      </>
    );
  const parts = dropped.parts
    .filter(({ tokens }) => tokens > 0)
    .toSorted((left, right) => right.tokens - left.tokens);
  const rest = parts.slice(partsMax).reduce((sum, { tokens }) => sum + tokens, 0);
  const most = Math.max(rest, parts[0]?.tokens ?? 0);
  return (
    <>
      <h3>
        Dropped: {formatCount(dropped.messages)} entries,{' '}
        <Marked mark="estimated">{formatCount(dropped.tokens)}</Marked> tokens
      </h3>
      <ul class="bars">
        {parts.slice(0, partsMax).map((part) => (
          <li key={`${part.kind} ${part.name}`} class={seriesOf(part)}>
            <span class="of">
              {words[part.kind] ?? <Name of={part.kind} />}{' '}
              {part.name !== '' && <Name of={part.name} />}
            </span>
            <Bar tokens={part.tokens} most={most} />
          </li>
        ))}
        {rest > 0 && (
          <li class="s0">
            <span class="of">{formatCount(parts.length - partsMax)} more</span>
            <Bar tokens={rest} most={most} />
          </li>
        )}
      </ul>
    </>
  );
}

function Bar({ tokens, most }: { tokens: number; most: number }): JSX.Element {
  const width = Math.max(1, (tokens / most) * widthPx);
  return (
    <>
      <svg width={widthPx} height={8} aria-hidden="true">
        <rect class="solid" width={width} height={8} />
      </svg>
      <span class="number">
        <Marked mark="estimated">{formatCount(tokens)}</Marked>
      </span>
    </>
  );
}

const words: Readonly<Record<string, string>> = {
  user: 'prompts',
  assistantText: 'answers',
  thinking: 'thinking',
  toolCalls: 'tool calls',
  toolResults: 'tool results of',
  compactionSummary: 'the summary before',
  branchSummary: 'a branch summary',
  images: 'images',
  other: 'messages of',
};

/** As in the chart of a session's window. */
function seriesOf({ kind }: ContextPart): string {
  if (kind === 'toolResults' || kind === 'images') return 's2';
  if (kind === 'user' || kind === 'compactionSummary' || kind === 'branchSummary') return 's4';
  return kind === 'other' ? 's0' : 's1';
}
