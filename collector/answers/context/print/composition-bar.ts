/** What fills a context, as one stacked bar of patterns (not colours) and its legend. Pure. */

import { grouped } from '@pi-ledger/contract/amounts';
import type { ContextPart } from '@pi-ledger/contract/answers';

const patterns = ['█', '▒', '═', '░', '▓', '/', '·', '+', 'o'];
/** Beyond this, the smallest parts are merged. */
const partsMax = patterns.length;

const names: Readonly<Record<string, string>> = {
  system: 'system prompt',
  toolDefinitions: 'tool definitions',
  user: 'user',
  assistantText: 'assistant text',
  thinking: 'thinking',
  toolCalls: 'tool calls',
  toolResults: 'results of',
  compactionSummary: 'compaction summary',
  branchSummary: 'branch summary',
  images: 'images',
  other: 'messages of',
  unexplained: 'unexplained',
};

/** `parts`: the largest first. */
export function drawComposition(
  parts: readonly ContextPart[],
  totalTokens: number,
  width: number,
): string[] {
  const shown = boundedParts(parts.filter(({ tokens }) => tokens > 0));
  if (shown.length === 0 || totalTokens <= 0) return [];
  const bar = shown
    .map(({ cells }, index) => (patterns[index] ?? ' ').repeat(cells(width, totalTokens)))
    .join('');
  const nameWidth = Math.max(...shown.map(({ name }) => name.length));
  const countWidth = grouped(shown[0]?.tokens ?? 0).length;
  const legend = shown.map(({ name, tokens }, index) => {
    const share = `${((tokens / totalTokens) * 100).toFixed(1)} %`;
    const count = grouped(tokens).padStart(countWidth);
    return `${patterns[index]} ${name.padEnd(nameWidth)}  ${count}  ${share.padStart(7)}`;
  });
  return [bar.slice(0, width), ...legend];
}

function partName({ kind, name }: ContextPart): string {
  const known = names[kind] ?? kind;
  return name === '' ? known : `${known} ${name}`;
}

interface Shown {
  readonly name: string;
  readonly tokens: number;
  /** Its width in the bar. */
  cells(width: number, totalTokens: number): number;
}

function boundedParts(parts: readonly ContextPart[]): readonly Shown[] {
  const sorted = parts.toSorted((left, right) => right.tokens - left.tokens);
  const named = sorted.map((part) => ({ name: partName(part), tokens: part.tokens }));
  const few =
    named.length <= partsMax
      ? named
      : [...named.slice(0, partsMax - 1), rest(named.slice(partsMax - 1))];
  let before = 0;
  return few.map(({ name, tokens }) => {
    const from = before;
    before += tokens;
    return {
      name,
      tokens,
      cells: (width, total) =>
        Math.round(((from + tokens) / total) * width) - Math.round((from / total) * width),
    };
  });
}

function rest(parts: readonly { readonly tokens: number }[]) {
  return {
    name: `${parts.length} more`,
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
