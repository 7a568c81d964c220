/** Answers that two sessions hold, and what the files have from before the floor of history. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { readFacts } from '../support/read-facts.ts';
import { at, header, line, writeFile } from '../support/two-sides.ts';

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'same-'));
});

type Lines = Parameters<typeof writeFile>[2];
const write = (id: string, second: number, ...lines: Lines) =>
  writeFile(root, `${id}.jsonl`, [header(id, second), ...lines]);

/** The same answer under an entry id of its own. */
const repeated = (of: string, id: string, second: number, message: object = {}) =>
  line({ id, second }, { responseId: `r-${of}`, ...message });

describe('an answer that two sessions hold', () => {
  const [one, two] = [line({ id: 'a1', second: 1 }), line({ id: 'a2', second: 2 })];
  const same = () =>
    [...readFacts([root]).sameAnswers].map(([id, others]) => [id, Object.fromEntries(others)]);

  it('is counted for the later one, by the other', () => {
    write('a', 0, one, two);
    write('b', 5, repeated('a1', 'b1', 6), repeated('a2', 'b2', 7), line({ id: 'b3', second: 8 }));
    write('c', 9, repeated('a2', 'c1', 10));
    expect(same()).toEqual([
      ['b', { a: 2 }],
      ['c', { a: 1 }],
    ]);
  });

  it.each<[what: string, other: string, lines: Lines]>([
    ['is a copy of the entry', 'b', [one]],
    ['stands in the same session', 'a', [repeated('a1', 'b1', 6)]],
    ['is of another response', 'b', [repeated('x', 'b1', 6)]],
    ['was given at another time', 'b', [repeated('a1', 'b1', 6, { timestamp: 2 })]],
    ['is what a tool spent', 'b', [repeated('a1', 'b1', 6, { role: 'toolResult' })]],
  ])('is none where it %s', (_what, other, lines) => {
    write('a', 0, one);
    writeFile(root, 'other.jsonl', [header(other, 5), ...lines]);
    expect(same()).toEqual([]);
  });

  it('is none where nobody says what it spent', () => {
    const silent = { usage: { input: 0, output: 0 } };
    write('a', 0, line({ id: 'a1', second: 1 }, silent));
    write('b', 5, repeated('a1', 'b1', 6, silent));
    expect(same()).toEqual([]);
  });
});

describe('what session files have from before the floor', () => {
  const period = { floorMs: Date.parse(at(5)), latestMs: Number.POSITIVE_INFINITY };
  const tool = (id: string, second: number, details: object) =>
    line({ id, second }, { role: 'toolResult', usage: undefined, responseId: undefined, details });
  const repeating = (id: string, second: number, ...answers: readonly { message: unknown }[]) =>
    tool(id, second, { results: [{ messages: answers.map(({ message }) => message) }] });
  const answerOf = (id: string, second: number) =>
    line({ id, second }) as ReturnType<typeof line> & { message: unknown };

  it('is summed up by session, and what is older than its file apart', () => {
    write(
      'a',
      3,
      line({ id: 'a1', second: 4 }),
      line({ id: 'a2', second: 2 }),
      line({ id: 'a3', second: 5 }),
    );
    write('b', 6, line({ id: 'b1', second: 7 }));
    const { sealed } = readFacts([root], period);
    const told = [...sealed].map(([id, { sums, inherited }]) => [id, sums.units, inherited.units]);
    expect(told).toEqual([['a', 2, 1]]);
    expect(readFacts([root]).sealed.size).toBe(0);
  });

  it('may be answers that others’ tool results repeat, then or later', () => {
    const [old, older, young] = [answerOf('c1', 1), answerOf('c2', 2), answerOf('c3', 6)];
    write('child', 0, old, older, young);
    write('then', 0, repeating('t1', 3, old));
    write('later', 0, repeating('t2', 9, older, young));
    write(
      'never',
      0,
      repeating('t3', 9, young),
      tool('t4', 9, { results: [{ usage: { input: 1 } }] }),
    );
    const { sealedRepeaters } = readFacts([root], period);
    expect(sealedRepeaters).toEqual(new Map([['child', new Set(['then', 'later'])]]));
    expect(readFacts([root]).sealedRepeaters.size).toBe(0);
  });

  it('may be no answer, which nobody repeats', () => {
    write('a', 0, { type: 'compaction', id: 'k', timestamp: at(1), usage: { input: 5 } });
    const { sealed, sealedRepeaters } = readFacts([root], period);
    expect([sealed.get('a')?.sums.units, sealedRepeaters.size]).toEqual([1, 0]);
  });
});
