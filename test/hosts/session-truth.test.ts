/**
 * The reference of the host tests, itself tested with hand-made session files: what counts, what
 * does not, and to which digit.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nanoUsd } from './support/truth/nano-usd.ts';
import { readSessionTruth } from './support/truth/session-truth.ts';

type Entry = Readonly<Record<string, unknown>>;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'session-truth-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

describe('session truth', () => {
  test('names every place of spend by its kind and leaves out what repeats it', () => {
    write('s.jsonl', [
      header(0),
      message('a1', 1, {
        role: 'assistant',
        model: 'm',
        responseId: 'r1',
        usage: usage(100, 10, 0.5),
      }),
      message('a2', 2, { role: 'toolResult', usage: usage(20, 2, 0.1) }),
      message('a3', 3, { role: 'toolResult', details: { usage: usage(9_999, 9_999, 9) } }),
      { type: 'compaction', id: 'a4', timestamp: at(4), usage: usage(30, 3, 0.1) },
      { type: 'branch_summary', id: 'a5', timestamp: at(5), usage: usage(40, 4, 0.1) },
      { type: 'usage', id: 'a6', timestamp: at(6), usage: usage(50, 5, 0.1) },
      { type: 'usage', id: 'a7', timestamp: at(7), kind: 'title', usage: usage(60, 6, 0.1) },
      {
        type: 'model_usage',
        id: 'a8',
        timestamp: at(8),
        purpose: 'auto-thinking',
        usage: usage(70, 7, 0.1),
      },
      { type: 'oracle', id: 'a9', timestamp: at(9), usage: usage(80, 8, 0.1) },
    ]);
    const { kinds, totals } = readSessionTruth(directory);
    expect(kinds).toEqual({
      turn: 1,
      tool: 1,
      compaction: 1,
      branch_summary: 1,
      cache_warm: 1,
      title: 1,
      side_call: 1,
      oracle: 1,
    });
    expect(totals).toMatchObject({
      records: 8,
      inputTokens: 450,
      outputTokens: 45,
      costNanoUsd: 1_200_000_000n,
    });
  });

  test('counts copies of forks once, in the original file', () => {
    const first = message('a1', 1, {
      role: 'assistant',
      responseId: 'r1',
      usage: usage(100, 10, 0.5),
    });
    write('z-parent.jsonl', [header(0), first]);
    write('a-fork.jsonl', [
      header(10),
      first,
      message('b1', 11, { role: 'assistant', responseId: 'r2', usage: usage(200, 20, 1) }),
    ]);
    write('a-fork-of-fork.jsonl', [header(20), first]);
    const { records, copies, orphans, totals } = readSessionTruth(directory);
    expect({ copies, orphans, input: totals.inputTokens }).toEqual({
      copies: 2,
      orphans: 0,
      input: 300,
    });
    expect(records[0]?.file.endsWith('z-parent.jsonl')).toBe(true);
  });

  test('counts a copy whose original is gone, and equal ids of different entries apart', () => {
    write('fork.jsonl', [
      header(10),
      message('a1', 1, { role: 'assistant', responseId: 'r1', usage: usage(100, 10, 0.5) }),
    ]);
    write('other.jsonl', [
      header(0),
      message('a1', 2, { role: 'assistant', responseId: 'r9', usage: usage(100, 10, 0.5) }),
    ]);
    expect(readSessionTruth(directory)).toMatchObject({
      copies: 0,
      orphans: 1,
      totals: { records: 2 },
    });
  });

  test('tells free from unpriced and unpriced from unreported', () => {
    const free = { ...usage(100, 10, 0), cost: { total: 0, totalFromProvider: true } };
    write('s.jsonl', [
      header(0),
      message('a1', 1, { role: 'assistant', usage: usage(100, 10, 0) }),
      message('a2', 2, { role: 'assistant', usage: { input: 100, output: 1 } }),
      message('a3', 3, { role: 'assistant', usage: free }),
      message('a4', 4, { role: 'assistant', stopReason: 'error', usage: usage(0, 0, 0) }),
    ]);
    expect(readSessionTruth(directory).totals).toMatchObject({
      records: 4,
      unpricedRecords: 2,
      unreportedRecords: 1,
    });
  });

  test('reads subagents below the session, title slots and files that end in half a line', () => {
    const title = { type: 'title', v: 1, title: '', pad: ' '.repeat(100) };
    const entry = message('a1', 1, {
      role: 'assistant',
      usage: { ...usage(100, 10, 0.5), reasoningTokens: 7 },
    });
    write('s.jsonl', [title, header(0), entry]);
    write(
      's/SubA.jsonl',
      [
        title,
        header(1),
        message('c1', 2, { role: 'assistant', usage: { ...usage(1, 1, 0.1), reasoning: 3 } }),
      ],
      '{"type":"message","id":"c2","mess',
    );
    expect(readSessionTruth(directory)).toMatchObject({
      files: { length: 2 },
      totals: { records: 2, reasoningTokens: 10 },
    });
  });
});

describe('nano-dollars', () => {
  test.each([
    [0, 0n],
    [0.0056, 5_600_000n],
    [0.022799999999999997, 22_800_000n],
    [1.3e-6, 1_300n],
    [5e-10, 0n],
    [1.5e-9, 2n],
    [2.5e-9, 2n],
    [2.500000001e-9, 3n],
    [1e21, 10n ** 30n],
    [-1.5e-9, -2n],
  ])('%d USD', (dollars, nano) => {
    expect(nanoUsd(dollars)).toBe(nano);
  });

  test('are not created from what is no number', () => {
    expect(() => nanoUsd(Number.NaN)).toThrow(RangeError);
  });
});

function write(name: string, entries: readonly Entry[], end = ''): void {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join('') + end);
}

function header(second: number): Entry {
  return {
    type: 'session',
    version: 3,
    id: `session-${second}`,
    timestamp: at(second),
    cwd: '/lab',
  };
}

function message(id: string, second: number, fields: Entry): Entry {
  return { type: 'message', id, parentId: null, timestamp: at(second), message: fields };
}

function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
}

function usage(input: number, output: number, total: number): Entry {
  return {
    input,
    output,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: input + output,
    cost: { total },
  };
}
