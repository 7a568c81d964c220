/**
 * Compares a log with a simple model: sets of ids and of sequence numbers, and a count of dead
 * letters.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AppendBatch, Log } from '../../../collector/log/log.ts';
import { eventId, exampleEvent } from '../../collector/support/events.ts';
import { expectGapless, type LogUnderTest, letter, readAll, receivedAtMs } from './stored.ts';

export function describeModel(openLog: () => Promise<LogUnderTest>): void {
  it('equals a plain model under any appends, repeated and reordered ones included', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(appendOf, { maxLength: 12 }),
        fc.boolean(),
        async (appends, together) => {
          const { log, reopen } = await openLog();
          const model = createModel();
          const expected = appends.map((append) => model.append(append));
          const answers: unknown[] = [];
          if (together)
            answers.push(
              ...(await Promise.all(appends.map((append) => log.append(toBatch(append))))),
            );
          else for (const append of appends) answers.push(await log.append(toBatch(append)));
          expect(answers).toEqual(expected);
          await expectModel(log, model);
          await log.close();
          const again = await reopen();
          await expectModel(again, model);
          await again.close();
        },
      ),
      { numRuns: 60 },
    );
  });
}

interface Append {
  readonly source: string;
  readonly numbers: readonly number[];
  readonly letters: number;
}

const appendOf = fc.record({
  source: fc.constantFrom('/producers/one', '/producers/two'),
  numbers: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }),
  letters: fc.integer({ min: 0, max: 2 }),
});

function toBatch({ source, numbers, letters }: Append): AppendBatch {
  const events = numbers.map((number) =>
    exampleEvent({ number, source, subject: `session-${number % 3}` }),
  );
  return {
    receivedAtMs,
    events,
    deadLetters: Array.from({ length: letters }, (_, index) => letter(`${source} ${index}`)),
  };
}

function createModel() {
  const ids = new Set<string>();
  const sequences = new Map<string, Set<number>>();
  let letters = 0;
  return {
    ids,
    sequences,
    letters: () => letters,
    append({ source, numbers, letters: more }: Append) {
      const before = ids.size;
      for (const number of numbers) {
        ids.add(eventId(number));
        sequences.set(source, (sequences.get(source) ?? new Set()).add(number));
      }
      letters += more;
      return { appended: ids.size - before, duplicates: numbers.length - (ids.size - before) };
    },
  };
}

async function expectModel(log: Log, model: ReturnType<typeof createModel>): Promise<void> {
  const stored = await readAll(log);
  expectGapless(stored);
  expect(stored.map(({ event }) => event.id).toSorted()).toEqual([...model.ids].toSorted());
  expect(await log.deadLetters(0, 1_000)).toHaveLength(model.letters());
  const receipts = await log.receipts();
  expect(receipts.map(({ source }) => source).toSorted()).toEqual(
    [...model.sequences.keys()].toSorted(),
  );
  for (const { source, ranges } of receipts) {
    expect(numbersIn(ranges)).toEqual(
      [...(model.sequences.get(source) ?? [])].toSorted((a, b) => a - b),
    );
    for (const [index, [first]] of ranges.entries()) {
      if (index > 0) expect(first).toBeGreaterThan((ranges[index - 1]?.[1] ?? 0) + 1);
    }
    expect(await log.receipts([source])).toEqual([{ source, ranges }]);
  }
  expect(await log.receipts(['/producers/never'])).toEqual([]);
}

function numbersIn(ranges: readonly (readonly [number, number])[]): number[] {
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}
