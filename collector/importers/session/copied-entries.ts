/**
 * Counts a file's copies of other sessions' entries, and remembers the first answers among them.
 */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import {
  type Entry,
  entryMessage,
  entryRole,
  type Header,
  parseTimeMs,
} from '@pi-ledger/core/record/entry';
import { recordSessionCopied } from '@pi-ledger/core/record/session';
import { responseKeyOf } from '@pi-ledger/core/record/subagent';
import type { CopiedAnswer } from '../proofs.ts';
import { createRunSums, type RunSums, sumKeys } from '../run-sums.ts';
import type { EntryOwner } from './lineage.ts';

/** The most ancestors of one file to remember. */
const copiedAnswersMax = 100;

export interface CopiedEntries {
  note(owner: EntryOwner, entry: Entry, recorded: readonly EventDraft[]): void;
  count(owner: EntryOwner, spends: boolean): void;
  firstAnswerOf(sessionId: string): string | null;
  /** One event for each owner. */
  copied(): readonly EventDraft<'pi.session.copied.v1'>[];
  answers(): readonly CopiedAnswer[];
}

/** `answersBefore`: those of an earlier reading that this one continues. */
export function createCopiedEntries(
  header: Header,
  answersBefore: readonly CopiedAnswer[],
): CopiedEntries {
  const copies = new Map<string, { owner: EntryOwner; entries: number; spendEntries: number }>();
  /** By session id. */
  const firstAnswers = new Map<string, { readonly key: string; readonly beganAt: string }>();
  const runs = new Map<string, RunSums>();
  return {
    note({ sessionId }, entry, recorded) {
      if (entryRole(entry) === 'assistant' && !firstAnswers.has(sessionId)) {
        const beganAt = new Date(parseTimeMs(entry.timestamp) ?? 0).toISOString();
        firstAnswers.set(sessionId, { key: responseKeyOf(entryMessage(entry)), beganAt });
      }
      const sums = runs.get(sessionId) ?? createRunSums(null);
      runs.set(sessionId, sums);
      sums.take(recorded);
    },
    count(owner, spends) {
      const key = `${owner.isAssumed} ${owner.sessionId}`;
      const counted = copies.get(key) ?? { owner, entries: 0, spendEntries: 0 };
      counted.entries += 1;
      if (spends) counted.spendEntries += 1;
      copies.set(key, counted);
    },
    firstAnswerOf: (sessionId) => firstAnswers.get(sessionId)?.key ?? null,
    copied: () =>
      [...copies.values()].map(({ owner, entries, spendEntries }) =>
        recordSessionCopied(
          header,
          { sessionId: owner.sessionId, assumed: owner.isAssumed },
          { entries, spendEntries },
        ),
      ),
    answers() {
      const answers = [...firstAnswers].map(([sessionId, first]) => {
        const saved = runs.get(sessionId)?.saved;
        return { sessionId, ...first, sums: saved === undefined ? [] : sumKeys(saved) };
      });
      return [...answersBefore, ...answers].slice(0, copiedAnswersMax);
    },
  };
}
