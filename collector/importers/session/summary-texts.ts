/**
 * The texts of summaries in one file: of a line that was cut none travels, since it may be the
 * beginning of one.
 */
import type { Contents } from '@pi-ledger/extension/content/contents';
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import type { Line } from './session-file.ts';

export interface SummaryTexts {
  /** Of the line that was begun last; null unless texts are taken in. */
  readonly contents: Contents | null;
  begin(line: Pick<Line, 'cutMark'>): void;
  /** Why a text is left out that what came of the line should have; null when none is. */
  missingIn(drafts: readonly EventDraft[]): string | null;
}

/** `contents`: null unless texts are taken in. */
export function createSummaryTexts(contents: Contents | null): SummaryTexts {
  let isCut = false;
  return {
    contents:
      contents === null ? null : { ...contents, of: (text) => (isCut ? null : contents.of(text)) },
    begin({ cutMark }) {
      isCut = cutMark !== null;
    },
    missingIn(drafts) {
      if (contents === null || !drafts.some(isWithoutText)) return null;
      return contents.problem() ?? (isCut ? 'its line is too long' : null);
    },
  };
}

function isWithoutText({ type, data }: EventDraft): boolean {
  if (type !== 'pi.compaction.completed.v1' && type !== 'pi.branch.summarized.v1') return false;
  return data.summaryText === undefined && data.sizes.textChars > 0;
}
