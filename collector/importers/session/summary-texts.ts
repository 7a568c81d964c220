/**
 * Texts of summaries in one file. Those of a cut line are left out, because they may be incomplete.
 */
import type { Contents } from '@pi-ledger/core/content/contents';
import type { EventDraft } from '@pi-ledger/core/record/draft';
import type { TextLine } from './session-file.ts';

export interface SummaryTexts {
  /** For the current line; null unless texts are imported. */
  readonly contents: Contents | null;
  begin(line: Pick<TextLine, 'cutMark'>): void;
  /** Why a text is missing in the line's drafts; null when none is. */
  missingIn(drafts: readonly EventDraft[]): string | null;
}

/** `contents`: null unless texts are imported. */
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
