/**
 * What is in the context now, and which compactions there were: worked out of the entries' weights
 * when somebody asks. Estimated by the hosts' rule, a quarter of the characters and 1,200 tokens an
 * image, and scaled down where that is more than was measured (docs/context.md says the same of the
 * collector's figures).
 *
 * A glance at the path to the leaf: other branches, and what an edit changed above the last answer,
 * are the collector's business. Pure.
 */
import type { Sizes } from '@pi-ledger/contract';
import type { ContextPrefix } from './reported-context.ts';
import type { CompactionWeight, Weight } from './weights.ts';

export interface PathItem {
  readonly id: string;
  readonly weight: Weight;
}

export interface ContextBreakdown {
  /** What the host compares to its threshold. Null right after a compaction or a clearing. */
  readonly heldTokens: number | null;
  /** True where the last entry is an answer, with the provider's own count. */
  readonly isMeasured: boolean;
  readonly estimatedTokens: number;
  /** The largest first; they come to `heldTokens`, or to `estimatedTokens` without it. */
  readonly parts: readonly Part[];
}

interface Part {
  readonly name: string;
  readonly tokens: number;
}

export interface CompactionOutcome extends CompactionWeight {
  readonly id: string;
  /** Sent for the first answer after it. Null: none came yet. */
  readonly tokensAfterMeasured: number | null;
}

/** `path`: from the root to the leaf. */
export function contextBreakdown(
  path: readonly PathItem[],
  prefix: ContextPrefix['fields'] | null,
): ContextBreakdown {
  const items = inContext(path);
  const parts = partsOf(items, prefix);
  const estimatedTokens = [...parts.values()].reduce((sum, chars) => sum + tokensOfChars(chars), 0);
  const { heldTokens, isMeasured } = heldAtEnd(path);
  return {
    heldTokens,
    isMeasured,
    estimatedTokens,
    parts: shares(parts, heldTokens ?? estimatedTokens, estimatedTokens),
  };
}

/** Those of the path, oldest first. */
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

/** One that repeats the system message replaces the earlier ones. */
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

/** An edit takes its target out; what it puts in the target's place stands in its own sizes. */
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
    if (weight.kind === 'message') added += tokensOfChars(charsOf(weight.sizes));
  }
  return { heldTokens: null, isMeasured: false };
}

function charsOf({ textChars, thinkingChars, toolCallChars, otherChars, images }: Sizes): number {
  return textChars + thinkingChars + toolCallChars + otherChars + images * imageChars;
}

/** Characters by what they are. */
function partsOf(
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
  const name = nameOf(weight);
  add(name, textChars);
  add(isCompaction ? 'system prompt' : name, otherChars - definitionChars);
  add('tool definitions', definitionChars);
  add('thinking', thinkingChars);
  add('tool calls', toolCallChars);
  add('images', images * imageChars);
}

function nameOf(weight: Exclude<Weight, { kind: 'nothing' }>): string {
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
 * Where no entry tells what stands before the first message: by omp's own count, else as the
 * running host said.
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
