/** Records that an administrator took back: files have them, the log counts them no longer. */
import { difference } from './difference.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { Findings } from './findings.ts';
import type { LogFacts } from './log-facts.ts';

/** Marks what is missing because it was withdrawn. */
export function reportWithdrawn(
  { sessions }: FileFacts,
  { withdrawn }: LogFacts,
  findings: Findings,
): void {
  for (const sessionId of sessions.keys()) {
    const inLog = withdrawn.countOf(sessionId);
    findings.replace(sessionId, (found) => {
      const { reason, count, at = '', entryId = '', file } = found;
      const isWithdrawn =
        (reason === 'missing_in_log' && withdrawn.has(entryId, at)) ||
        (reason === 'may_be_private' && inLog > 0) ||
        (reason === 'not_imported' && inLog > 0 && inLog >= count);
      return isWithdrawn
        ? difference('withdrawn', count, file === undefined ? {} : { file })
        : found;
    });
  }
}
