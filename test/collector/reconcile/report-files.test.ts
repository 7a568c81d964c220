/** Files that were left out as a whole: of which of them nothing else is told. */
import { expect, it } from 'vitest';
import type { FileFacts } from '../../../collector/reconcile/files/file-facts.ts';
import { leftOut } from '../../../collector/reconcile/report-files.ts';

const problem = (path: string) => ({
  path,
  line: null,
  message: 'words',
  reason: 'file_left_out' as const,
});

it('a file that is left out is told of no session unless its header was read before', () => {
  const sessions = new Map([['s', { sessionId: 's', files: [{ path: '/s.jsonl' }] }]]);
  const files = { sessions, problems: [problem('/s.jsonl'), problem('/x.jsonl')] };
  expect(leftOut(files as unknown as FileFacts, { sessions: new Map() })).toEqual([
    { reason: 'file_left_out', explained: false, count: 1, file: '/x.jsonl' },
  ]);
});
