/** A row of the audit as the API shows it, in lists and alone. Pure. */
import { type Static, type TSchema, Type } from 'typebox';
import type { AuditRow, SummaryRow } from '../context/audit.ts';
import { minuteOf } from '../projections/session/calendar.ts';
import type { SessionState } from '../projections/session/document.ts';
import { labelsAt } from '../projections/session/timeline.ts';

const orNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
const text = orNull(Type.String());
const count = orNull(Type.Integer());
const nanoUsd = (description: string) => orNull(Type.String(), `${description} 10^-9 USD, a decimal string.`);

const properties = {
  id: Type.String({ description: "The event's: `/v1/compactions/{id}` has all of the row." }),
  kind: Type.Enum(['compaction', 'branchSummary', 'failure']),
  entryId: orNull(Type.String(), 'In the session file; a compaction that failed left no entry.'),
  session: Type.String(),
  project: text,
  user: text,
  machine: text,
  host: text,
  time: Type.String(),
  trigger: orNull(Type.String(), 'manual, threshold, overflow, ...; null: only the live host knows it.'),
  by: orNull(Type.Enum(['host', 'extension']), 'Who made the summary.'),
  method: orNull(Type.String(), "omp's: soft, shake, ..."),
  provider: text,
  model: orNull(Type.String(), 'That made the summary: the one in force. Of an extension nobody says.'),
  tokensBefore: count,
  tokensAfterEstimated: orNull(Type.Integer(), "The host's estimate."),
  tokensAfterMeasured: orNull(Type.Integer(), 'Sent for the first answer after it.'),
  savedTokens: count,
  costNanoUsd: nanoUsd(
    'Of the call that made the summary; null: the host does not report it, or nobody knows a price (`costSource`), which is not free.',
  ),
  costSource: orNull(Type.Enum(['host', 'unreported'])),
  durationMs: count,
  aborted: orNull(Type.Boolean(), 'Of one that failed.'),
  willRetry: orNull(Type.Boolean()),
  instructionsChars: orNull(Type.Integer(), 'What the user asked the summary to heed; 0: nothing.'),
  summaryTokens: count,
  droppedMessages: count,
  droppedTokens: orNull(Type.Integer(), 'Estimated, as keptTokens.'),
  keptMessages: count,
  keptTokens: count,
  filesReadCount: orNull(Type.Integer(), 'That the summary lists.'),
  filesModifiedCount: count,
  cacheMissTokens: orNull(Type.Integer(), 'Of the first answer after it; 0: none.'),
  cacheMissNanoUsd: nanoUsd('What these cost beyond reading them from the cache; null: no answer yet, or no price.'),
  regretReads: orNull(Type.Integer(), 'Files read before and again within the next 10 turns.'),
  regretTokens: count,
  turnsAfter: orNull(Type.Integer(), 'Answers until the next compaction, or so far.'),
  netNanoUsd: nanoUsd('What it saved, less what it cost; null: not known.'),
};

export const CompactionRow = Type.Object(properties);
export type CompactionRow = Static<typeof CompactionRow>;
export const compactionColumns = Object.keys(properties);

const Share = orNull(
  Type.Object({
    messages: Type.Integer(),
    tokens: Type.Integer(),
    parts: Type.Array(Type.Object({ kind: Type.String(), name: Type.String(), tokens: Type.Integer() })),
  }),
);
const paths = orNull(Type.Array(Type.String()), 'Relative to the directory of the session.');
const Content = orNull(
  Type.Object({ text: Type.String(), truncated: Type.Boolean(), redactions: Type.Integer() }),
  'Only where the machine that recorded it sends it (`auditContent`).',
);

export const FullCompactionRow = Type.Object({
  ...properties,
  dropped: Share,
  kept: Share,
  filesRead: paths,
  filesModified: paths,
  regretPaths: paths,
  cacheMiss: orNull(
    Type.Object({
      fromTokens: Type.Integer(),
      toTokens: Type.Integer(),
      missedTokens: Type.Integer(),
      costNanoUsd: orNull(Type.String()),
      reason: Type.String(),
    }),
  ),
  net: orNull(
    Type.Object({
      savedTokens: Type.Integer({ description: 'Saved, times the answers after it.' }),
      savedNanoUsd: orNull(Type.String()),
      rereadNanoUsd: orNull(Type.String()),
      netNanoUsd: orNull(Type.String()),
      leavesOut: Type.Array(Type.String(), { description: 'Costs that are not known.' }),
    }),
  ),
  summary: Content,
  instructions: Content,
});
export type FullCompactionRow = Static<typeof FullCompactionRow>;
export type Contents = Pick<FullCompactionRow, 'summary' | 'instructions'>;

/** Under whose name it stands is decided by the time of the compaction. */
export function toCompactionRow(row: AuditRow, state: SessionState): CompactionRow {
  const provider = row.kind === 'failure' ? '' : row.provider;
  const { project, user, machine, host } = labelsAt(state.timeline, minuteOf(row.time), provider);
  const { id, kind, entryId, session, time, trigger, durationMs, willRetry, instructionsChars } = row;
  return {
    ...{ id, kind, entryId, session },
    ...{ project: project || null, user: user || null, machine: machine || null, host: host || null },
    ...{ time, trigger, durationMs, willRetry, instructionsChars },
    aborted: row.kind === 'failure' ? row.aborted : null,
    ...(row.kind === 'failure' ? noFigures : figuresOf(row)),
  };
}

export function toFullRow(row: AuditRow, state: SessionState, contents: Contents): FullCompactionRow {
  return { ...toCompactionRow(row, state), ...(row.kind === 'failure' ? noDetails : detailsOf(row)), ...contents };
}

function figuresOf(row: SummaryRow) {
  const { by, costSource, tokensBefore, tokensAfterEstimated, tokensAfterMeasured, savedTokens, summaryTokens, turnsAfter } = row;
  const { dropped, kept, filesReadCount, filesModifiedCount, cacheMiss, regret, net } = row;
  return {
    ...{ by, method: row.method || null, provider: row.provider || null, model: row.model || null },
    ...{ tokensBefore, tokensAfterEstimated, tokensAfterMeasured, savedTokens },
    ...{ costNanoUsd: amount(row.costNanoUsd), costSource, summaryTokens },
    ...{ droppedMessages: dropped.messages, droppedTokens: dropped.tokens, keptMessages: kept.messages, keptTokens: kept.tokens },
    ...{ filesReadCount, filesModifiedCount },
    cacheMissTokens: turnsAfter === 0 ? null : (cacheMiss?.missedTokens ?? 0),
    cacheMissNanoUsd: turnsAfter === 0 ? null : amount(cacheMiss === null ? 0 : cacheMiss.costNanoUsd),
    ...{ regretReads: regret.reads, regretTokens: regret.tokens, turnsAfter, netNanoUsd: amount(net?.netNanoUsd ?? null) },
  };
}

/** A compaction that failed has none. */
const noFigures = {
  ...{ by: null, method: null, provider: null, model: null },
  ...{ tokensBefore: null, tokensAfterEstimated: null, tokensAfterMeasured: null, savedTokens: null },
  ...{ costNanoUsd: null, costSource: null, summaryTokens: null },
  ...{ droppedMessages: null, droppedTokens: null, keptMessages: null, keptTokens: null },
  ...{ filesReadCount: null, filesModifiedCount: null, cacheMissTokens: null, cacheMissNanoUsd: null },
  ...{ regretReads: null, regretTokens: null, turnsAfter: null, netNanoUsd: null },
} satisfies Partial<CompactionRow>;

function detailsOf({ dropped, kept, filesRead, filesModified, regret, cacheMiss, net }: SummaryRow) {
  return {
    dropped: shareOf(dropped),
    kept: shareOf(kept),
    ...{ filesRead: [...filesRead], filesModified: [...filesModified], regretPaths: [...regret.paths] },
    cacheMiss: cacheMiss === null ? null : missOf(cacheMiss),
    net: net === null ? null : netOf(net),
  };
}

const noDetails = { dropped: null, kept: null, filesRead: null, filesModified: null, regretPaths: null, cacheMiss: null, net: null };

function shareOf({ messages, tokens, parts }: SummaryRow['dropped']) {
  return { messages, tokens, parts: [...parts] };
}

function missOf({ fromTokens, toTokens, missedTokens, costNanoUsd, reason }: NonNullable<SummaryRow['cacheMiss']>) {
  return { fromTokens, toTokens, missedTokens, costNanoUsd: amount(costNanoUsd), reason };
}

function netOf({ savedTokens, savedNanoUsd, rereadNanoUsd, netNanoUsd, leavesOut }: NonNullable<SummaryRow['net']>) {
  const amounts = { savedNanoUsd: amount(savedNanoUsd), rereadNanoUsd: amount(rereadNanoUsd), netNanoUsd: amount(netNanoUsd) };
  return { savedTokens, ...amounts, leavesOut: [...leavesOut] };
}

function amount(nanoUsd: number | null): string | null {
  return nanoUsd === null ? null : String(nanoUsd);
}
