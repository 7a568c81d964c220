/**
 * What is in the context now, and which compactions there were, computed from the entries' weights
 * on demand. Estimated by the hosts' rule, a quarter of the characters and 1,200 tokens per image,
 * and scaled down if that exceeds the measured size (docs/context.md describes the same for the
 * collector's figures).
 *
 * Covers the path to the leaf: other branches, and the effect of an edit above the last answer, are
 * left to the collector. Pure.
 */
import type { Sizes } from '@pi-ledger/contract';
import type { ContextPrefix } from './reported-context.ts';
import type { CompactionWeight, Weight } from './weights.ts';

export interface PathItem {
  readonly id: string;
  readonly weight: Weight;
}

export interface ContextBreakdown {
  /** What the host compares to its threshold. Null right after a compaction or `/clear`. */
  readonly heldTokens: number | null;
  /** True if the last entry is an answer with the provider's own count. */
  readonly isMeasured: boolean;
  readonly estimatedTokens: number;
  /** Largest first. They add up to `heldTokens`, or else to `estimatedTokens`. */
  readonly parts: readonly Part[];
}

interface Part {
  readonly name: string;
  readonly tokens: number;
}

export interface CompactionOutcome extends CompactionWeight {
  readonly id: string;
  /** Tokens sent for the first answer after it. Null: no answer yet. */
  readonly tokensAfterMeasured: number | null;
}

/** `path`: from the root to the leaf. */
export function contextBreakdown(
  path: readonly PathItem[],
  prefix: ContextPrefix['fields'] | null,
): ContextBreakdown {
  const items = inContext(path);
  const parts = groupParts(items, prefix);
  const estimatedTokens = [...parts.values()].reduce((sum, chars) => sum + tokensOfChars(chars), 0);
  const { heldTokens, isMeasured } = heldAtEnd(path);
  return {
    heldTokens,
    isMeasured,
    estimatedTokens,
    parts: shares(parts, heldTokens ?? estimatedTokens, estimatedTokens),
  };
}

/** The compactions on the path, oldest first. */
export function compactionOutcomes(path: readonly PathItem[]): readonly CompactionOutcome[] {
  const found: CompactionOutcome[] = [];
  let openSince = -1;
  for (const { id, weight } of path) {
    if (weight.kind === 'compaction')
      openSince = found.push({ ...weight.compaction, id, tokensAfterMeasured: null }) - 1;
    if (isReset(weight)) openSince = -1;
    const open = found[openSince];
    if (weight.kind !== 'answer' || open === undefined) continue;
    found[openSince] = { ...open, tokensAfterMeasured: weight.sentTokens };
    openSince = -1;
  }
  return found;
}

const charsPerToken = 4;
const imageChars = 1_200 * charsPerToken;

function tokensOfChars(chars: number): number {
  return Math.ceil(chars / charsPerToken);
}

function inContext(path: readonly PathItem[]): readonly PathItem[] {
  const cut = path.findLastIndex(({ weight }) => weight.kind === 'compaction' || isReset(weight));
  const last = path[cut];
  const after = path.slice(cut + 1);
  const kept = last?.weight.kind === 'compaction' ? keptBy(path.slice(0, cut), last.weight) : [];
  return withoutEdited([...(last === undefined ? [] : [last]), ...kept, ...after]);
}

/** A compaction that repeats the system message replaces earlier ones. */
function keptBy(
  above: readonly PathItem[],
  { compaction, sizes }: Weight & { kind: 'compaction' },
): readonly PathItem[] {
  const from = above.findIndex(({ id }) => id === compaction.firstKeptEntryId);
  const isSent = ({ weight }: PathItem) =>
    weight.kind !== 'compaction' &&
    !(sizes.otherChars > 0 && weight.kind === 'message' && weight.part === 'system prompt');
  return from < 0 ? [] : above.slice(from).filter(isSent);
}

function isReset(weight: Weight): boolean {
  return weight.kind === 'edit' && weight.targetEntryId === null;
}

/** An edit removes its target; the replacement is in the edit's own sizes. */
function withoutEdited(items: readonly PathItem[]): readonly PathItem[] {
  const targets = new Set(
    items.map(({ weight }) => (weight.kind === 'edit' ? weight.targetEntryId : null)),
  );
  return items.filter(
    ({ id, weight }) => !targets.has(id) && !(weight.kind === 'edit' && weight.removed),
  );
}

function heldAtEnd(path: readonly PathItem[]): Pick<ContextBreakdown, 'heldTokens' | 'isMeasured'> {
  let added = 0;
  for (const { weight } of path.toReversed()) {
    if (weight.kind === 'compaction' || isReset(weight))
      return { heldTokens: null, isMeasured: false };
    if (weight.kind === 'answer')
      return {
        heldTokens: weight.sentTokens + weight.outputTokens + added,
        isMeasured: added === 0,
      };
    if (weight.kind === 'message') added += tokensOfChars(sumChars(weight.sizes));
  }
  return { heldTokens: null, isMeasured: false };
}

function sumChars({ textChars, thinkingChars, toolCallChars, otherChars, images }: Sizes): number {
  return textChars + thinkingChars + toolCallChars + otherChars + images * imageChars;
}

/** Characters by kind. */
function groupParts(
  items: readonly PathItem[],
  prefix: ContextPrefix['fields'] | null,
): Map<string, number> {
  const parts = new Map<string, number>();
  const add = (name: string, chars: number) =>
    void (chars > 0 && parts.set(name, (parts.get(name) ?? 0) + chars));
  for (const { weight } of items) addWeight(add, weight);
  if (!parts.has('system prompt')) addPrefix(add, items, prefix);
  return parts;
}

type Add = (name: string, chars: number) => void;

function addWeight(add: Add, weight: Weight): void {
  if (weight.kind === 'nothing') return;
  const { textChars, thinkingChars, toolCallChars, otherChars, images } = weight.sizes;
  const isCompaction = weight.kind === 'compaction';
  const definitionChars = isCompaction
    ? weight.compaction.toolDefinitionChars
    : weight.kind === 'message'
      ? weight.toolDefinitionChars
      : 0;
  const name = partName(weight);
  add(name, textChars);
  add(isCompaction ? 'system prompt' : name, otherChars - definitionChars);
  add('tool definitions', definitionChars);
  add('thinking', thinkingChars);
  add('tool calls', toolCallChars);
  add('images', images * imageChars);
}

function partName(weight: Exclude<Weight, { kind: 'nothing' }>): string {
  switch (weight.kind) {
    case 'message':
      return weight.part;
    case 'answer':
      return 'assistant text';
    case 'compaction':
      return 'compaction summary';
    case 'edit':
      return 'edited';
  }
}

/**
 * If no entry holds what precedes the first message: omp's own count, else what the running host
 * reported.
 */
function addPrefix(
  add: Add,
  items: readonly PathItem[],
  prefix: ContextPrefix['fields'] | null,
): void {
  const answer = items.findLast(({ weight }) => weight.kind === 'answer')?.weight;
  const counted = answer?.kind === 'answer' ? answer.nonMessageTokens : null;
  add('system prompt and tools', (counted ?? 0) * charsPerToken);
  add('system prompt', counted === null ? (prefix?.systemPromptChars ?? 0) : 0);
  add('tool definitions', counted === null ? (prefix?.toolDefinitionChars ?? 0) : 0);
}

function shares(
  parts: ReadonlyMap<string, number>,
  totalTokens: number,
  estimatedTokens: number,
): readonly Part[] {
  const scale = estimatedTokens > totalTokens ? totalTokens / estimatedTokens : 1;
  const named = Array.from(parts, ([name, chars]) => ({
    name,
    tokens: Math.floor(tokensOfChars(chars) * scale),
  }));
  const rest = totalTokens - named.reduce((sum, { tokens }) => sum + tokens, 0);
  const all = rest > 0 ? [...named, { name: 'unexplained', tokens: rest }] : named;
  return all.sort((left, right) => right.tokens - left.tokens);
}
