/**
 * Subagents that become known as such after their files were deleted: the accounts for their
 * parents come from the log (recall.ts), once.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import type { Issues } from './issues.ts';
import type { FileProgress } from './progress/file-rows.ts';
import type { LateChild } from './progress/late-children.ts';
import type { ProgressStore } from './progress/progress.ts';
import type { AnswerClaim } from './proofs.ts';
import { createRecall, type Recalled } from './recall.ts';
import { isName } from './session/other-accounts.ts';
import { createBatches, type EventBatch, type FileOf } from './threads/batches.ts';
import type { Bookmark } from './threads/read-job.ts';
import { LogClosedError } from './whole-log.ts';

export interface GoneChildrenOptions {
  readonly progress: ProgressStore;
  /** Reads all events of the log, in order. */
  readLog(): AsyncIterable<LedgerEvent>;
  take(batch: EventBatch, fileOf: FileOf): Promise<void>;
  readonly issues: Issues;
}

/**
 * Reads the log once if there are such children. Rejects when the log cannot be read; they are then
 * tried again.
 */
export async function accountGoneChildren(
  children: readonly LateChild[],
  { progress, readLog, take, issues }: GoneChildrenOptions,
): Promise<void> {
  const known = children.flatMap((child) => knownChild(child, progress.of(child.path)));
  if (known.length === 0) return;
  const recall = createRecall(known.flatMap(({ recalled }) => recalled));
  const fileOf = fileOfRecalled(known);
  const batches = createBatches(source);
  try {
    for await (const event of readLog()) {
      batches.add(recall.take(event));
      for (let batch = batches.full(); batch !== null; batch = batches.full())
        await take(batch, fileOf);
    }
  } catch (error) {
    if (!(error instanceof LogClosedError)) throw error;
    for (const { path } of children)
      issues.add({
        code: 'claim_left_out',
        file: path,
        line: null,
        message: notTold,
        mayHoldSpend: true,
      });
    return;
  }
  batches.add(recall.end());
  await take(batches.rest(), fileOf);
  progress.save(
    known.map(({ told }) => told),
    [],
  );
}

const source = '/importers/recalled';
const notTold =
  'the file is gone and another session claims its content, ' +
  'which counts twice until an import that may read the log';

interface KnownChild {
  readonly told: FileProgress;
  readonly recalled: readonly Recalled[];
}

/** An account names the child that it is of; an attribution is of the child itself. */
function fileOfRecalled(known: readonly KnownChild[]): FileOf {
  const files = new Map(
    known.flatMap(({ told, recalled }) =>
      recalled.map(({ sessionId }) => [sessionId, told.path] as const),
    ),
  );
  return (text) => {
    const { subject, data } = JSON.parse(text) as {
      readonly subject: string;
      readonly data: { readonly childSessionId?: string };
    };
    return files.get(data.childSessionId ?? subject) ?? '';
  };
}

function knownChild(
  { claimedBy, isClaimedAnew, alsoClaimedBy, ties = [] }: LateChild,
  file: FileProgress | null,
): KnownChild[] {
  if (file === null || file.bookmark === null) return [];
  const { bookmark } = file;
  const sessionId = bookmark.header.id;
  const nearest =
    claimedBy === null
      ? []
      : [{ sessionId, parent: claimedBy, attributedLaterMs: isClaimedAnew ? 2 : 1 }];
  const others = alsoClaimedBy.flatMap((claim) => {
    const answered = findAnswerer(claim, bookmark);
    return answered === null
      ? []
      : [{ sessionId: answered, parent: namedIn(claim, bookmark), attributedLaterMs: null }];
  });
  const standing =
    claimedBy === null ? bookmark.standing : { ...bookmark.standing, awaitedParent: null };
  const told = {
    ...file,
    bookmark: { ...bookmark, standing },
    claimedBy: claimedBy ?? file.claimedBy,
    alsoClaimedBy: [...file.alsoClaimedBy, ...alsoClaimedBy],
    ties: [...file.ties, ...ties],
  };
  return [
    {
      told,
      recalled: [...nearest, ...others].filter(
        ({ sessionId, parent }) => sessionId !== parent.sessionId,
      ),
    },
  ];
}

/** As a reading of the file would tell it (other-accounts.ts). */
function namedIn({ firstAnswer, parent }: AnswerClaim, { standing }: Bookmark): SubagentParent {
  const isOtherName =
    firstAnswer === null &&
    isName(parent.key) &&
    parent.sessionId === standing.placedParent?.sessionId;
  return isOtherName ? { ...parent, isOtherName } : parent;
}

/** The session whose first answer is claimed: the file's own, or one that it copied. */
function findAnswerer({ firstAnswer }: AnswerClaim, { header, standing }: Bookmark): string | null {
  if (firstAnswer === null || firstAnswer === standing.firstAnswer) return header.id;
  return standing.copiedAnswers.find(({ key }) => key === firstAnswer)?.sessionId ?? null;
}
