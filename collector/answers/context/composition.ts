/**
 * What fills the window: the entries in the context, by role and tool, in tokens. They are
 * estimated by the hosts' rule and scaled down when they exceed the measured total. The measured
 * rest is `unexplained` (system prompt and tool definitions of hosts that do not report them).
 *
 * Guarantee: the parts add up to the total exactly.
 */
import type { EntryFact, FixtureFact, TurnFact } from '../../projections/context/facts.ts';
import { answerAbove } from './answer-node.ts';
import type { EntryNode, EntryTree } from './entry-tree.ts';
import {
  charsPerToken,
  estimatedTokens,
  fillsContext,
  imageChars,
  tokensOfChars,
} from './estimate.ts';
import { latestAt } from './latest-at.ts';
import { windowContentAt } from './window-content.ts';
import { createWindowTokens, type FigureSource, sentTokens } from './window-tokens.ts';

type PartKind =
  /** In omp, includes the tool definitions. */
  | 'system'
  | 'toolDefinitions'
  | 'user'
  | 'assistantText'
  | 'thinking'
  | 'toolCalls'
  | 'toolResults'
  | 'compactionSummary'
  | 'branchSummary'
  | 'images'
  /** Messages of other roles, by role: the user's shell commands, extensions' messages. */
  | 'other'
  | 'unexplained';

export interface Part {
  readonly kind: PartKind;
  /** The tool of a result or the role of another message; empty otherwise. */
  readonly name: string;
  readonly tokens: number;
}

export interface Composition {
  readonly totalTokens: number;
  readonly source: FigureSource;
  /** The entries' sum by the hosts' rule, before it is compared with the total. */
  readonly estimatedTokens: number;
  /** The largest first. */
  readonly parts: readonly Part[];
}

/**
 * For an answer: what was sent for it. For any other entry: what the context holds after it, from
 * the last answer's total and estimates of what came since.
 */
export function createCompositions(
  tree: EntryTree,
  fixtures: readonly FixtureFact[],
): (node: EntryNode | null) => Composition {
  const heldAt = createWindowTokens(tree);
  let last: Filled = { top: null, filling: createFilling() };
  return (node) => {
    const isAnswer = node?.fact.kind === 'turn' && node.fact.reported;
    last = extended(last, isAnswer ? node.parent : node);
    const above = node === null ? null : answerAbove(node);
    const answer = isAnswer ? node.fact : (above?.fact ?? null);
    // Before the first answer nothing is measured, so the estimate includes what precedes the first
    // message.
    const held = isAnswer
      ? { tokens: sentTokens(node.fact), source: 'provider' as const }
      : above === null
        ? unmeasured
        : heldAt(node);
    return compose(
      withFixture(last.filling, answer, fixtureAt(fixtures, node)),
      held.tokens,
      held.source,
    );
  };
}

const unmeasured = { tokens: null, source: 'estimate' as const };

/** Estimated tokens of some entries, by role and tool; not scaled. */
export function partsOf(nodes: readonly EntryNode[]): Composition {
  const filling = createFilling();
  for (const { fact } of nodes) fill(filling, fact);
  return compose(filling, null, 'estimate');
}

interface Filling {
  /** By kind and name. */
  readonly chars: Map<string, { readonly kind: PartKind; readonly name: string; chars: number }>;
  tokens: number;
}

interface Filled {
  /** The entry that the filling ends with. */
  readonly top: EntryNode | null;
  readonly filling: Filling;
}

function createFilling(): Filling {
  return { chars: new Map(), tokens: 0 };
}

/** Compositions are requested along a path, so the last filling is extended where possible. */
function extended({ top, filling }: Filled, wanted: EntryNode | null): Filled {
  const added = nodesSince(top, wanted);
  const into = added === null ? createFilling() : filling;
  for (const { fact } of added ?? windowContentAt(wanted)) fill(into, fact);
  return { top: wanted, filling: into };
}

/**
 * Returns null when something in between changes what stands above it, or `top` is on another
 * path.
 */
function nodesSince(top: EntryNode | null, wanted: EntryNode | null): EntryNode[] | null {
  const nodes: EntryNode[] = [];
  for (let at = wanted; at !== top; at = at.parent) {
    if (at === null || at.fact.kind === 'compaction' || at.fact.kind === 'edit') return null;
    nodes.push(at);
  }
  return nodes;
}

function fill(filling: Filling, fact: EntryFact): void {
  if (!fillsContext(fact)) return;
  const [textChars, thinkingChars, toolCallChars, otherChars, images] = fact.sizes;
  filling.tokens += estimatedTokens(fact);
  const [kind, name] = mainPartOf(fact);
  // A compaction's `otherChars` are the system message that it repeats.
  const otherKind = fact.kind === 'compaction' ? 'system' : kind;
  const definitionChars =
    fact.kind === 'compaction' || fact.kind === 'message' ? fact.toolDefinitionChars : 0;
  add(filling, kind, name, textChars);
  add(filling, otherKind, otherKind === kind ? name : '', otherChars - definitionChars);
  add(filling, 'toolDefinitions', '', definitionChars);
  add(filling, 'thinking', '', thinkingChars);
  add(filling, 'toolCalls', '', toolCallChars);
  add(filling, 'images', '', imageChars(images));
}

/**
 * Adds what fills the window before the first message, where no entry says: by omp's own count, or
 * as the live host reported it.
 */
function withFixture(
  filling: Filling,
  answer: TurnFact | null,
  fixture: FixtureFact | null,
): Filling {
  if (filling.chars.has('system/') || filling.chars.has('toolDefinitions/')) return filling;
  const counted = answer?.nonMessageTokens ?? null;
  const systemChars =
    counted === null ? (fixture?.systemPromptChars ?? 0) : counted * charsPerToken;
  const definitionChars = counted === null ? (fixture?.toolDefinitionChars ?? 0) : 0;
  const whole = {
    chars: new Map(filling.chars),
    tokens: filling.tokens + tokensOfChars(systemChars) + tokensOfChars(definitionChars),
  };
  add(whole, 'system', '', systemChars);
  add(whole, 'toolDefinitions', '', definitionChars);
  return whole;
}

function fixtureAt(fixtures: readonly FixtureFact[], node: EntryNode | null): FixtureFact | null {
  return latestAt(fixtures, node?.fact.time ?? '', ({ time }) => time);
}

function mainPartOf(fact: EntryFact): readonly [PartKind, string] {
  switch (fact.kind) {
    case 'turn':
      return ['assistantText', ''];
    case 'tool':
      return ['toolResults', fact.toolName];
    case 'compaction':
      return ['compactionSummary', ''];
    case 'branchSummary':
      return ['branchSummary', ''];
    case 'message':
      return fact.role === 'system' ? ['system', ''] : ['other', fact.role];
    default:
      return ['user', ''];
  }
}

function add({ chars }: Filling, kind: PartKind, name: string, more: number): void {
  if (more <= 0) return;
  const key = `${kind}/${name}`;
  const known = chars.get(key);
  if (known === undefined) chars.set(key, { kind, name, chars: more });
  else known.chars += more;
}

/** Without a measured total, the estimate is the total. */
function compose(
  filling: Filling,
  measuredTokens: number | null,
  source: FigureSource,
): Composition {
  const estimated = filling.tokens;
  const totalTokens = measuredTokens ?? estimated;
  const explained = Math.min(estimated, totalTokens);
  const parts = shares([...filling.chars.values()], explained);
  const rest = totalTokens - parts.reduce((sum, { tokens }) => sum + tokens, 0);
  if (rest > 0) parts.push({ kind: 'unexplained', name: '', tokens: rest });
  parts.sort(
    (left, right) =>
      right.tokens - left.tokens ||
      (`${left.kind}/${left.name}` < `${right.kind}/${right.name}` ? -1 : 1),
  );
  return {
    totalTokens,
    source: measuredTokens === null ? 'estimate' : source,
    estimatedTokens: estimated,
    parts,
  };
}

/**
 * Whole tokens in proportion to characters; the rest from rounding down goes to the largest
 * remainders.
 */
function shares(
  weights: readonly { kind: PartKind; name: string; chars: number }[],
  tokens: number,
): Part[] {
  const total = weights.reduce((sum, { chars }) => sum + chars, 0);
  if (total === 0) return [];
  const exact = weights.map(({ kind, name, chars }) => ({
    kind,
    name,
    exact: (chars / total) * tokens,
  }));
  let rest = tokens - exact.reduce((sum, part) => sum + Math.floor(part.exact), 0);
  exact.sort(
    (left, right) =>
      (right.exact % 1) - (left.exact % 1) ||
      (`${left.kind}/${left.name}` < `${right.kind}/${right.name}` ? -1 : 1),
  );
  return exact.map((part) => {
    const extra = rest > 0 ? 1 : 0;
    rest -= extra;
    return { kind: part.kind, name: part.name, tokens: Math.floor(part.exact) + extra };
  });
}
