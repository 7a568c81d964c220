/**
 * The audit: one row for each compaction, failed compaction and branch summary of a session.
 * Formulas: docs/context.md.
 *
 * What only the live host knows (trigger, duration, instructions, failures) is null or absent in
 * imported sessions.
 */
import type {
  BranchSummaryFact,
  CompactionFact,
  FailedFact,
  SampleFact,
  SpendFact,
  TimedFact,
} from '../../projections/context/facts.ts';
import { type AnswerNode, answerAbove, isAnswer } from './answer-node.ts';
import { type CacheMiss, createCacheMisses } from './cache-misses.ts';
import { type EntryNode, type EntryTree, nodesBelow, pathTo } from './entry-tree.ts';
import { tokensOfChars } from './estimate.ts';
import { type Net, netOf } from './net.ts';
import { createPrices, type Prices } from './prices.ts';
import { type Regret, regretOf } from './regret.ts';
import type { SessionFacts } from './session-facts.ts';
import { droppedBy, leafLeftAt, type Share, shareOf, withoutSystem } from './share.ts';
import { createThresholdOf, createThresholds, type HostFamily } from './threshold.ts';
import { keptBy, windowContentAt } from './window-content.ts';
import { createWindowTokens, sentTokens, type WindowTokens } from './window-tokens.ts';

export interface SummaryRow {
  readonly kind: 'compaction' | 'branchSummary';
  /** The event's. */
  readonly id: string;
  readonly entryId: string;
  /** The id of the live event about it; null when there is none. */
  readonly timedId: string | null;
  readonly session: string;
  readonly time: string;
  readonly trigger: string | null;
  readonly by: 'host' | 'extension';
  readonly method: string;
  readonly tokensBefore: number | null;
  readonly tokensAfterEstimated: number | null;
  /** Tokens sent for the first answer after it. */
  readonly tokensAfterMeasured: number | null;
  readonly savedTokens: number | null;
  readonly durationMs: number | null;
  /** Cost of the summarizing call; null when not reported. */
  readonly costNanoUsd: number | null;
  readonly costSource: 'host' | 'unreported';
  readonly provider: string;
  readonly model: string;
  /** Estimated tokens of the summary itself. */
  readonly summaryTokens: number;
  readonly dropped: Share;
  readonly kept: Share;
  readonly filesRead: readonly string[];
  readonly filesReadCount: number;
  readonly filesModified: readonly string[];
  readonly filesModifiedCount: number;
  readonly instructionsChars: number | null;
  readonly willRetry: boolean | null;
  /** The cache miss of the first answer after it; null when there is none. */
  readonly cacheMiss: CacheMiss | null;
  readonly regret: Regret;
  /** Answers until the next compaction or until now. */
  readonly turnsAfter: number;
  /** The host compacted above it; null when not known. */
  readonly thresholdTokens: number | null;
  /** The session's own answers and attempts before it. */
  readonly turnsBefore: number;
  /** It is what the summarizing call spent, and null when that was not reported. */
  readonly spend: SpendFact | null;
  readonly net: Net | null;
}

interface FailureRow extends Omit<FailedFact, 'id'> {
  readonly kind: 'failure';
  /** The event's. */
  readonly id: string;
  readonly entryId: null;
  readonly session: string;
}

export type AuditRow = SummaryRow | FailureRow;

/** Sorted by time. */
export function auditOf(
  tree: EntryTree,
  facts: SessionFacts,
  host: HostFamily,
): readonly AuditRow[] {
  const inputs = createInputs(tree, facts, host);
  const rows: AuditRow[] = facts.failed.map((failed) => ({
    kind: 'failure',
    entryId: null,
    session: facts.session,
    ...failed,
  }));
  let turnsBefore = 0;
  for (const node of tree.nodes) {
    if (!node.isOwn) continue;
    const { fact } = node;
    if (fact.kind === 'turn') turnsBefore += 1;
    if (fact.kind === 'compaction')
      rows.push({ ...compactionRow(node, fact, inputs), turnsBefore });
    if (fact.kind === 'branchSummary') rows.push({ ...branchRow(node, fact, inputs), turnsBefore });
  }
  return rows.sort((left, right) =>
    left.time === right.time ? 0 : left.time < right.time ? -1 : 1,
  );
}

interface AuditInputs {
  readonly session: string;
  readonly tree: EntryTree;
  readonly timed: ReadonlyMap<string | null, TimedFact>;
  readonly estimates: ReadonlyMap<string | null, SampleFact>;
  /** The nodes below a compaction and above the next compaction or clearing. */
  readonly after: ReadonlyMap<EntryNode | null, readonly EntryNode[]>;
  readonly heldAt: (node: EntryNode | null) => WindowTokens;
  readonly missAt: (answer: AnswerNode) => CacheMiss | null;
  readonly prices: Prices;
  readonly thresholdOf: (node: EntryNode) => number | null;
}

function createInputs(tree: EntryTree, facts: SessionFacts, host: HostFamily): AuditInputs {
  return {
    session: facts.session,
    tree,
    timed: new Map(facts.timed.map((timed) => [timed.entryId, timed])),
    estimates: new Map(
      facts.samples
        .filter(({ source }) => source === 'estimate')
        .map((sample) => [sample.entryId, sample]),
    ),
    after: Map.groupBy(tree.nodes, ({ cut }) => cut),
    heldAt: createWindowTokens(tree),
    missAt: createCacheMisses(tree, facts.fixtures),
    prices: createPrices(tree),
    thresholdOf: createThresholdOf(createThresholds(facts, host)),
  };
}

type RowAlone = Omit<SummaryRow, 'turnsBefore'>;

function compactionRow(node: EntryNode, fact: CompactionFact, inputs: AuditInputs): RowAlone {
  const { after, estimates, heldAt, missAt, prices } = inputs;
  const kept = keptBy(node);
  const below = after.get(node) ?? [];
  const answers = below.filter(isAnswer);
  const [first] = answers;
  const tokensBefore = fact.tokensBefore ?? heldAt(node.parent).tokens;
  const tokensAfterEstimated = fact.tokensAfterEstimated ?? estimates.get(fact.id)?.tokens ?? null;
  const tokensAfterMeasured = first === undefined ? null : sentTokens(first.fact);
  const savedTokens = savedOf(tokensBefore, tokensAfterMeasured ?? tokensAfterEstimated);
  const cacheMiss = first === undefined ? null : missAt(first);
  const regret = regretOf(node, kept, below);
  const costNanoUsd = fact.spend?.costNanoUsd ?? null;
  const net =
    first === undefined
      ? null
      : netOf({
          savedTokens,
          turnsAfter: answers.length,
          costNanoUsd,
          cacheMiss,
          regret,
          first,
          prices,
        });
  return {
    kind: 'compaction',
    ...said(node, fact, inputs),
    method: fact.method,
    ...{ tokensBefore, tokensAfterEstimated, tokensAfterMeasured, savedTokens },
    dropped: shareOf(droppedBy(node, fact, kept)),
    kept: shareOf(kept),
    ...{ cacheMiss, regret, turnsAfter: answers.length, net },
  };
}

/**
 * Dropped is what the user left: the latest path that continued from where the summary stands. That
 * saves nothing, so there is no net.
 */
function branchRow(node: EntryNode, fact: BranchSummaryFact, inputs: AuditInputs): RowAlone {
  const { tree, heldAt, missAt } = inputs;
  const onPath = new Set(pathTo(node.parent));
  const leftLeaf = leafLeftAt(node, tree);
  const dropped = withoutSystem(pathTo(leftLeaf).filter((each) => !onPath.has(each)));
  const answers = nodesBelow(node, tree)
    .filter(isAnswer)
    .filter(({ cut }) => cut === node.cut);
  const [first] = answers;
  const tokensBefore = leftLeaf === null ? null : heldAt(leftLeaf).tokens;
  const tokensAfterMeasured = first === undefined ? null : sentTokens(first.fact);
  return {
    kind: 'branchSummary',
    ...said(node, fact, inputs),
    method: '',
    ...{ tokensBefore, tokensAfterEstimated: null, tokensAfterMeasured },
    savedTokens: savedOf(tokensBefore, tokensAfterMeasured),
    dropped: shareOf(dropped),
    kept: shareOf(windowContentAt(node.parent)),
    cacheMiss: first === undefined ? null : missAt(first),
    regret: { reads: 0, tokens: 0, paths: [] },
    turnsAfter: answers.length,
    net: null,
  };
}

function said(
  node: EntryNode,
  fact: CompactionFact | BranchSummaryFact,
  { session, timed, thresholdOf }: AuditInputs,
) {
  const {
    id: entryId,
    eventId: id,
    time,
    fromExtension,
    filesRead,
    filesReadCount,
    filesModified,
    filesModifiedCount,
    spend,
  } = fact;
  const live = timed.get(entryId);
  const current = answerAbove(node)?.fact;
  return {
    thresholdTokens: thresholdOf(node),
    ...{ id, entryId, timedId: live?.eventId ?? null, session, time },
    ...{ trigger: live?.trigger ?? null, durationMs: live?.durationMs ?? null },
    ...{ willRetry: live?.willRetry ?? null, instructionsChars: live?.instructionsChars ?? null },
    by: fromExtension ? ('extension' as const) : ('host' as const),
    spend,
    costNanoUsd: spend?.costNanoUsd ?? null,
    costSource: spend === null ? ('unreported' as const) : ('host' as const),
    // Hosts summarize with the current model; which model an extension used is not reported.
    provider: spend?.provider ?? (fromExtension ? '' : (current?.provider ?? '')),
    model: spend?.model ?? (fromExtension ? '' : (current?.model ?? '')),
    summaryTokens: tokensOfChars(fact.sizes[0]),
    ...{ filesRead, filesReadCount, filesModified, filesModifiedCount },
  };
}

function savedOf(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : before - after;
}
