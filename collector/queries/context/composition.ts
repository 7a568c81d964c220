/**
 * What fills the window: the entries that are in the context, by role and tool, in tokens.
 * Estimated by the hosts' rule; scaled down where they come to more than was measured. What was
 * measured beyond them is `unexplained` (system prompt and tool definitions of hosts that do not
 * tell them).
 *
 * Guarantee: the parts sum to the total, exactly.
 */
import type { EntryFact, FixtureFact, TurnFact } from '../../projections/context/facts.ts';
import { answerAbove } from './answers.ts';
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
  /** omp counts its tool definitions as part of it. */
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
  /** Messages of other roles, by role: shell commands of the user, extensions' messages. */
  | 'other'
  | 'unexplained';

export interface Part {
  readonly kind: PartKind;
  /** Tool of a result, role of another message; empty for the rest. */
  readonly name: string;
  readonly tokens: number;
}

export interface Composition {
  readonly totalTokens: number;
  readonly source: FigureSource;
  /** What the entries come to by the hosts' rule, before it is compared to the total. */
  readonly estimatedTokens: number;
  /** The largest first. */
  readonly parts: readonly Part[];
}

/**
 * What was sent for an answer; what the context holds behind any other entry, the answer's total
 * and estimates of what came since.
 */
export function createCompositions(
  tree: EntryTree,
  fixtures: readonly FixtureFact[],
): (node: EntryNode | null) => Composition {
  const heldAt = createWindowTokens(tree);
  let last: Filled = { items: [], filling: createFilling() };
  return (node) => {
    const isAnswer = node?.fact.kind === 'turn' && node.fact.reported;
    const items = windowContentAt(isAnswer ? node.parent : node);
    last = extended(last, items);
    const above = node === null ? null : answerAbove(node);
    const answer = isAnswer ? node.fact : (above?.fact ?? null);
    // Before the first answer nothing was measured, and what stands before the first message is a
    // part of the estimate.
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

/** Estimated tokens of some entries, by role and tool; nothing is scaled. */
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
  readonly items: readonly EntryNode[];
  readonly filling: Filling;
}

function createFilling(): Filling {
  return { chars: new Map(), tokens: 0 };
}

/** Compositions are asked for along a path: what is filled already is not filled again. */
function extended({ items, filling }: Filled, wanted: readonly EntryNode[]): Filled {
  const known = items.length;
  const isPrefix = known <= wanted.length && items.every((item, index) => wanted[index] === item);
  const into = isPrefix ? filling : createFilling();
  for (const { fact } of isPrefix ? wanted.slice(known) : wanted) fill(into, fact);
  return { items: wanted, filling: into };
}

function fill(filling: Filling, fact: EntryFact): void {
  if (!fillsContext(fact)) return;
  const [textChars, thinkingChars, toolCallChars, otherChars, images] = fact.sizes;
  filling.tokens += estimatedTokens(fact);
  const [kind, name] = mainPartOf(fact);
  // A compaction's other characters are the system message that it repeats.
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
 * What fills the window before the first message, where no entry tells it: by omp's own count, else
 * by what the live host said.
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

/** Without a measured total the estimate is the total. */
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
 * Whole tokens in proportion to characters; what rounding down leaves goes to the largest
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
