/**
 * The context over a session's turns: one point for each of its own answers, attempts, compactions
 * and branch summaries, by time.
 */
import type { SampleFact, TurnFact } from '../../projections/context/facts.ts';
import { type AnswerNode, answerAbove } from './answer-node.ts';
import type { EntryNode, EntryTree } from './entry-tree.ts';
import type { SessionFacts } from './session-facts.ts';
import { createThresholds, type HostFamily, type Threshold } from './threshold.ts';
import {
  createWindowTokens,
  type FigureSource,
  sentTokens,
  type WindowTokens,
} from './window-tokens.ts';

export interface Point {
  readonly kind: 'turn' | 'compaction' | 'branchSummary';
  /** Answers and attempts of the session so far, including this one. */
  readonly turn: number;
  readonly time: string;
  readonly entryId: string;
  /**
   * Tokens sent for this answer (input, cache read and cache write). Right after a compaction, the
   * host's estimate or null.
   */
  readonly tokens: number | null;
  readonly source: FigureSource;
  /** Including the answer itself: the figure that the host compares with its threshold. */
  readonly heldTokens: number | null;
  /** It is null for anything but an answer. */
  readonly freshTokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly outputTokens: number | null;
  /** Compared with the answer above it on its path, unless a compaction stands between. */
  readonly growthTokens: number | null;
  readonly provider: string;
  readonly model: string;
  readonly threshold: Threshold | null;
  /** Negative when the host is about to compact. */
  readonly untilThresholdTokens: number | null;
}

export function seriesOf(tree: EntryTree, facts: SessionFacts, host: HostFamily): readonly Point[] {
  const heldAt = createWindowTokens(tree);
  const thresholdAt = createThresholds(facts, host);
  const estimates = new Map(
    facts.samples
      .filter(({ source }) => source === 'estimate')
      .map((sample) => [sample.entryId, sample]),
  );
  const points: Point[] = [];
  let turn = 0;
  for (const node of tree.nodes) {
    if (!node.isOwn) continue;
    const answer = node.fact.kind === 'turn' ? node.fact : answerAbove(node)?.fact;
    const asked = {
      time: node.fact.time,
      provider: answer?.provider ?? '',
      model: answer?.model ?? '',
    };
    const threshold = answer === undefined ? null : thresholdAt(asked);
    const point = pointOf(node, heldAt, answerAbove(node), estimates.get(node.fact.id));
    if (point === null) continue;
    const untilThresholdTokens = distance(threshold?.thresholdTokens ?? null, point.heldTokens);
    if (point.kind === 'turn') turn += 1;
    points.push({
      ...point,
      turn,
      provider: asked.provider,
      model: asked.model,
      threshold,
      untilThresholdTokens,
    });
  }
  return points;
}

function distance(thresholdTokens: number | null, heldTokens: number | null): number | null {
  return thresholdTokens === null || heldTokens === null ? null : thresholdTokens - heldTokens;
}

type PointFigures = Omit<
  Point,
  'turn' | 'provider' | 'model' | 'threshold' | 'untilThresholdTokens'
>;

function pointOf(
  node: EntryNode,
  heldAt: (node: EntryNode | null) => WindowTokens,
  above: AnswerNode | null,
  estimate: SampleFact | undefined,
): PointFigures | null {
  const { fact } = node;
  switch (fact.kind) {
    case 'turn':
      return fact.reported
        ? answerPoint(node, fact, above)
        : attemptPoint(fact, heldAt(node.parent));
    case 'compaction': {
      const tokens = fact.tokensAfterEstimated ?? estimate?.tokens ?? null;
      return {
        ...none,
        kind: 'compaction',
        ...named(fact),
        tokens,
        source: tokens === null ? 'unknown' : 'estimate',
        heldTokens: tokens,
      };
    }
    case 'branchSummary': {
      const { tokens, source } = heldAt(node);
      return { ...none, kind: 'branchSummary', ...named(fact), tokens, source, heldTokens: tokens };
    }
    default:
      return null;
  }
}

const none = {
  freshTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  growthTokens: null,
};

function named({ time, id }: EntryNode['fact']): Pick<Point, 'time' | 'entryId'> {
  return { time, entryId: id };
}

function answerPoint(node: EntryNode, turn: TurnFact, above: AnswerNode | null): PointFigures {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = turn;
  const tokens = sentTokens(turn);
  const growthTokens =
    above === null || above.cut !== node.cut ? null : tokens - sentTokens(above.fact);
  const cache = { freshTokens: inputTokens, cacheReadTokens, cacheWriteTokens };
  return {
    kind: 'turn',
    ...named(turn),
    tokens,
    source: 'provider',
    heldTokens: tokens + outputTokens,
    ...cache,
    outputTokens,
    growthTokens,
  };
}

/** An attempt without usage shows what the context held when it was made. */
function attemptPoint(turn: TurnFact, { tokens, source }: WindowTokens): PointFigures {
  return {
    ...none,
    kind: 'turn',
    ...named(turn),
    tokens,
    source: tokens === null ? source : 'estimate',
    heldTokens: tokens,
  };
}
