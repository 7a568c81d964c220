import { describe, expect, it } from 'vitest';
import { difference } from '../../../collector/reconcile/difference.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';

describe('what was found of a session', () => {
  it('is told apart by session', () => {
    const findings = createFindings();
    findings.add('a', difference('extra_in_log', 1));
    findings.add('b', difference('missing_in_log', 2));
    expect([...findings.sessions()]).toEqual(['a', 'b']);
    expect(findings.of('a')).toEqual([{ reason: 'extra_in_log', explained: false, count: 1 }]);
    expect(findings.of('b')).toEqual([{ reason: 'missing_in_log', explained: false, count: 2 }]);
    expect(findings.of('c')).toEqual([]);
  });

  it('is one line per explained reason, session and file', () => {
    const findings = createFindings();
    findings.add('a', difference('copied', 1, { otherSessionId: 'x' }));
    findings.add('a', difference('copied', 2, { otherSessionId: 'x' }));
    findings.add('a', difference('copied', 1, { otherSessionId: 'y' }));
    findings.add('a', difference('unreadable_line', 1, { file: '/1', line: 5 }));
    findings.add('a', difference('unreadable_line', 1, { file: '/1', line: 6 }));
    findings.add('a', difference('unreadable_line', 1, { file: '/2', line: 5 }));
    findings.add('a', difference('owner_assumed', 1, { entryId: 'e1' }));
    findings.add('a', difference('owner_assumed', 1, { entryId: 'e2' }));
    expect(findings.of('a')).toEqual([
      { reason: 'copied', explained: true, count: 3, otherSessionId: 'x' },
      { reason: 'copied', explained: true, count: 1, otherSessionId: 'y' },
      { reason: 'unreadable_line', explained: true, count: 2, file: '/1', line: 5 },
      { reason: 'unreadable_line', explained: true, count: 1, file: '/2', line: 5 },
      { reason: 'owner_assumed', explained: true, count: 2 },
    ]);
  });

  it('is a line for each fault, the same one counted', () => {
    const findings = createFindings();
    for (const entryId of ['e1', 'e2', 'e2'])
      findings.add('a', difference('extra_in_log', 1, { entryId }));
    expect(findings.of('a')).toEqual([
      { reason: 'extra_in_log', explained: false, count: 1, entryId: 'e1' },
      { reason: 'extra_in_log', explained: false, count: 2 },
    ]);
  });

  it('is counted together by reason beyond a hundred faults, none of them lost', () => {
    const findings = createFindings();
    for (let entry = 0; entry < 250; entry++)
      findings.add(
        'a',
        difference(entry % 2 ? 'extra_in_log' : 'cost_differs', 1, { entryId: `e${entry}` }),
      );
    const found = findings.of('a');
    expect(found).toHaveLength(102);
    expect(found.slice(100)).toEqual([
      { reason: 'cost_differs', explained: false, count: 75 },
      { reason: 'extra_in_log', explained: false, count: 75 },
    ]);
  });

  it('can be said otherwise, each for itself', () => {
    const findings = createFindings();
    findings.add('a', difference('missing_in_log', 1, { entryId: 'e1' }));
    findings.add('a', difference('missing_in_log', 1, { entryId: 'e2' }));
    findings.add('a', difference('cost_differs', 1));
    findings.add('b', difference('missing_in_log', 1));
    findings.replace('a', (found) =>
      found.reason === 'missing_in_log' ? difference('file_changing', found.count) : found,
    );
    findings.replace('nobody', (found) => found);
    expect(findings.of('a')).toEqual([
      { reason: 'file_changing', explained: true, count: 2 },
      { reason: 'cost_differs', explained: false, count: 1 },
    ]);
    expect(findings.of('b')).toMatchObject([{ reason: 'missing_in_log' }]);
    expect(findings.of('nobody')).toEqual([]);
  });
});
