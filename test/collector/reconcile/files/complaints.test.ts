import { describe, expect, it } from 'vitest';
import {
  createComplaints,
  describeProblem,
} from '../../../../collector/reconcile/files/complaints.ts';
import { parseLine } from '../../../../collector/reconcile/files/file-head.ts';
import type { FileProblem } from '../../../../collector/reconcile/files/session-files.ts';

interface Damage {
  readonly isHead?: boolean;
  readonly hasEnd?: boolean;
}

function complaintOf(
  text: string | null,
  { isHead = false, hasEnd = true }: Damage = {},
): FileProblem {
  return describeProblem(
    '/s.jsonl',
    { number: 3, text, hasEnd },
    text === null ? undefined : parseLine(text),
    isHead,
  );
}

describe('a line that cannot be read', () => {
  const spend = '{"type":"message","id":"a1","message":{"usage":{"input":1';

  it.each<[what: string, text: string | null, damage: Damage, reason: string]>([
    ['too long', null, {}, 'line_left_out'],
    ['too long, and the last one', null, { hasEnd: false }, 'line_left_out'],
    ['too long, where the header belongs', null, { isHead: true }, 'line_left_out'],
    ['damaged', '{"type":"mess', {}, 'line_left_out'],
    ['damaged, with usage', spend, {}, 'line_left_out'],
    ['being written', spend, { hasEnd: false }, 'unreadable_line'],
    ['a damaged header', '{"type":"sess', { isHead: true }, 'unreadable_line'],
    [
      'the beginning of a header',
      '{"type":"sess',
      { isHead: true, hasEnd: false },
      'unreadable_line',
    ],
    ['damaged where the header belongs, with usage', spend, { isHead: true }, 'line_left_out'],
    ['no object', '[1]', {}, 'unreadable_line'],
    ['no object, with usage', '[{"usage":{}}]', {}, 'line_left_out'],
    [
      'no object, with usage, and the last one',
      '[{"usage":{}}]',
      { hasEnd: false },
      'line_left_out',
    ],
    ['an entry that has no place', '{"type":"message"}', {}, 'line_left_out'],
    [
      'an entry that has no place, and the last one',
      '{"type":"message"}',
      { hasEnd: false },
      'line_left_out',
    ],
  ])('is %s: whether spend may be lost by it', (_what, text, damage, reason) => {
    expect(complaintOf(text, damage)).toMatchObject({ path: '/s.jsonl', line: 3, reason });
  });

  it.each([
    [null, 'expected an entry; the line is too long'],
    ['{"type', 'expected a JSON object'],
    ['[1]', 'expected a JSON object'],
    ['{}', 'spend without a valid time or id, or nested too deep'],
  ])('is named with what was expected: %s', (text, message) =>
    expect(complaintOf(text).message).toBe(message),
  );

  it.each([
    ['{"type":"message","id":"a1b2","mess', 'a1b2'],
    [`{"id":"${'x'.repeat(100)}"`, 'x'.repeat(100)],
    [`{"id":"${'x'.repeat(101)}"`, undefined],
    ['{"id":""', undefined],
    [`{"x":"${'-'.repeat(1_900)}","id":"a1"`, 'a1'],
    [`{"x":"${'-'.repeat(2_000)}","id":"a1"`, undefined],
    ['{"type":"mess', undefined],
    [null, undefined],
  ])('is named by the id of its entry, where that much can be read: %s', (text, entryId) => {
    expect(complaintOf(text).entryId).toBe(entryId);
    expect('entryId' in complaintOf(text)).toBe(entryId !== undefined);
  });
});

describe('the lines of a file that cannot be read', () => {
  const leftOut = '{"type":"message","id":"a1","mess';
  const holdsNothing = '[1]';

  it.each([
    [100, 100, []],
    [
      101,
      101,
      [
        {
          path: '/s.jsonl',
          line: null,
          message: '1 more lines are unreadable',
          reason: 'line_left_out',
          lines: 1,
        },
      ],
    ],
  ])('are %d: the first hundred are listed, the others counted', (count, listed, rest) => {
    const problems: FileProblem[] = [];
    const ids = new Set<string>();
    const complaints = createComplaints('/s.jsonl', problems, ids);
    for (let line = 0; line < count; line++) complaints.add(complaintOf(leftOut));
    expect(complaints.end()).toBe(count);
    expect(problems).toHaveLength(listed);
    expect(problems.slice(100)).toEqual(rest);
    expect([...ids]).toEqual(['a1']);
  });

  it('are counted by what they may hold, and beside a file that cannot be opened', () => {
    const problems: FileProblem[] = [];
    const ids = new Set<string>();
    const complaints = createComplaints('/s.jsonl', problems, ids);
    for (let line = 0; line < 102; line++) complaints.add(complaintOf(holdsNothing));
    complaints.add(complaintOf(leftOut.replace('"id":"a1",', '')));
    complaints.add({
      path: '/s.jsonl',
      line: null,
      message: 'cannot be read',
      reason: 'file_left_out',
    });
    expect(complaints.end()).toBe(103);
    expect(problems.at(-1)).toMatchObject({ reason: 'unreadable_line', lines: 2 });
    expect(problems).toHaveLength(103);
    expect(ids.size).toBe(0);
  });
});
