import { expect, it } from 'vitest';
import { assignmentsOf } from '../../../../collector/ingest/kafka/kafkajs-assigner.ts';

const partitions = new Map([
  ['events', [0, 1, 2, 3, 4]],
  ['claims', [4, 3, 2, 1, 0]],
  ['dead-letters', [0]],
]);

it('gives partitions of one number to one member, each of them to somebody', () => {
  for (const members of [['b', 'a', 'c'], ['x'], ['1', '2', '3', '4', '5', '6', '7']]) {
    const assignments = assignmentsOf(members, partitions);
    expect([...assignments.keys()].toSorted()).toEqual(members.toSorted());
    const holders = new Map<number, Set<string>>();
    const given: string[] = [];
    for (const [member, topics] of assignments)
      for (const [topic, numbers] of Object.entries(topics))
        for (const number of numbers) {
          holders.set(number, (holders.get(number) ?? new Set()).add(member));
          given.push(`${topic}/${number}`);
        }
    expect([...holders.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1]);
    const all = [...partitions].flatMap(([topic, numbers]) =>
      numbers.map((each) => `${topic}/${each}`),
    );
    expect(given.toSorted()).toEqual(all.toSorted());
  }
});

it('is the same in whatever order members are named', () => {
  const one = assignmentsOf(['a', 'b'], partitions);
  const other = assignmentsOf(['b', 'a'], partitions);
  expect([...other].toSorted()).toEqual([...one].toSorted());
});
