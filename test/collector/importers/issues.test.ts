/** An import lists the first issues of each kind and counts all of them. */
import { expect, it } from 'vitest';
import { createIssues, type Issue, lostIn } from '../../../collector/importers/issues.ts';

const issue = (file: string, more: Partial<Issue> = {}): Issue => ({
  code: 'not_json',
  file,
  line: 1,
  message: 'm',
  mayHoldSpend: false,
  ...more,
});

it('lists five of a file and code, and of those five that may hold spend, and counts all', () => {
  const issues = createIssues();
  for (let line = 1; line <= 9; line += 1)
    for (const mayHoldSpend of [false, true])
      for (const file of ['a', 'b']) issues.add(issue(file, { line, mayHoldSpend }));
  issues.add(issue('a', { code: 'no_time', line: 10 }));
  expect(issues.list.map(({ line }) => line)).toEqual([
    ...[1, 2, 3, 4, 5].flatMap((line) => [line, line, line, line]),
    10,
  ]);
  expect(issues).toMatchObject({ count: 37, lostCount: 18 });
});

it('lists a thousand, and a thousand more that may hold spend, in any order', () => {
  for (const isFirst of [false, true]) {
    const issues = createIssues();
    for (const mayHoldSpend of [isFirst, !isFirst])
      for (let file = 0; file < 1_100; file += 1) issues.add(issue(String(file), { mayHoldSpend }));
    expect(lostIn(issues.list)).toBe(1_000);
    expect(issues.list).toHaveLength(2_000);
    expect(issues).toMatchObject({ count: 2_200, lostCount: 1_100 });
  }
});

it('takes in another list with what it counts beyond what it lists', () => {
  const issues = createIssues();
  issues.add(issue('a', { mayHoldSpend: true }));
  issues.addAll({
    list: [issue('b'), issue('c', { mayHoldSpend: true })],
    count: 12,
    lostCount: 7,
  });
  expect(issues).toMatchObject({ count: 13, lostCount: 8 });
  expect(issues.list.map(({ file }) => file)).toEqual(['a', 'b', 'c']);
});

it('forgets all, so that as much has room again', () => {
  const issues = createIssues();
  const fill = () => {
    for (let file = 0; file < 1_001; file += 1)
      issues.add(issue(String(file), { mayHoldSpend: true }));
  };
  fill();
  issues.clear();
  expect(issues).toMatchObject({ list: [], count: 0, lostCount: 0 });
  fill();
  expect(issues.list).toHaveLength(1_000);
  expect(issues).toMatchObject({ count: 1_001, lostCount: 1_001 });
});
