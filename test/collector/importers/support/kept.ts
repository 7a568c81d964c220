/** Records of files and claims in `imports.db`. */
import { noIssues } from '../../../../collector/importers/issues.ts';
import type { FileProgress } from '../../../../collector/importers/progress/file-rows.ts';
import type { FileClaim } from '../../../../collector/importers/proofs.ts';
import type { SessionBookmark } from '../../../../collector/importers/session/reader-state.ts';

const startMs = Date.parse('2026-11-20T09:00:00.000Z');

export function bookmark(
  session: string,
  more: Partial<SessionBookmark['standing']> = {},
): SessionBookmark {
  return {
    offset: 10,
    lines: 2,
    proof: 'p',
    header: {
      id: session,
      timestamp: '2026-11-20T09:00:00.000Z',
      timeMs: startMs,
      cwd: null,
      formatVersion: 3,
      parentSession: null,
    },
    standing: {
      places: [],
      utcOffsetMinutes: 60,
      hasOwn: true,
      firstAnswer: null,
      copiedAnswers: [],
      placedParent: null,
      awaitedParent: null,
      ...more,
    },
  };
}

export const file = (path: string, more: Partial<FileProgress> = {}): FileProgress => ({
  path,
  stamp: 's',
  bookmark: null,
  isFailed: false,
  claimedBy: null,
  alsoClaimedBy: [],
  ties: [],
  issues: noIssues,
  againAtMs: null,
  ...more,
});

const issue = { code: 'not_json', file: '/a', line: 1, message: 'm', mayHoldSpend: true } as const;
export const issues = { list: [issue], count: 3, lostCount: 2 };
export const full = file('/full', {
  stamp: 'stamp',
  bookmark: bookmark('s1', {
    firstAnswer: 'r1',
    copiedAnswers: [
      { sessionId: 'o', key: 'r2', beganAt: '2026-11-22T10:00:00.000Z', sums: ['sum:1'] },
    ],
    placedParent: { sessionId: 'p', key: 'agent:A' },
  }),
  isFailed: true,
  claimedBy: { sessionId: 'q', key: 'turn:t' },
  alsoClaimedBy: [
    { firstAnswer: null, parent: { sessionId: 'y', key: 'turn:y' } },
    { firstAnswer: 'r1', parent: { sessionId: 'x', key: 'turn:x' } },
  ],
  issues,
  againAtMs: 123,
});

export const claim = (
  key: string,
  sessionId: string,
  more: Partial<FileClaim> = {},
): FileClaim => ({
  key,
  claimId: `${key} of ${sessionId}`,
  holder: sessionId,
  sessionId,
  turnEntryId: `turn-${sessionId}`,
  turnAt: null,
  time: '2026-11-20T09:00:00.000Z',
  ...more,
});
