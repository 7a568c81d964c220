/**
 * Sessions that an import has kept private though no file here says why: the paused parent's file
 * is gone since. What is remembered of it never excuses what is in the log. Pure.
 */
import { difference } from './difference.ts';
import type { Findings } from './findings.ts';

export function excuseRemembered(findings: Findings, privateSessions: Iterable<string>): void {
  for (const sessionId of privateSessions)
    findings.replace(sessionId, (found) =>
      found.reason === 'not_imported'
        ? difference('private_parent_gone', found.count, {
            ...(found.file !== undefined && { file: found.file }),
          })
        : found,
    );
}
