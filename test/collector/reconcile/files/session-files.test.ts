import { linkSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { totalIn } from '../../../../collector/reconcile/counted.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { readFacts } from '../support/read-facts.ts';

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'files-'));
});

const at = (second: number) => `2026-11-22T09:00:${String(second).padStart(2, '0')}.000Z`;
const header = (id: string, second: number, parentSession?: string) => ({
  type: 'session',
  version: 3,
  id,
  timestamp: at(second),
  cwd: '/p',
  parentSession,
});
const usage = (input: number) => ({
  input,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: input + 1,
  cost: { total: 0.001 },
});

function answer(id: string, second: number, input = 10) {
  const message = {
    role: 'assistant',
    provider: 'p',
    model: 'm',
    usage: usage(input),
    responseId: `r-${id}`,
    timestamp: 1,
  };
  return { type: 'message', id, parentId: null, timestamp: at(second), message };
}

function write(name: string, lines: readonly (object | string)[], end = '\n'): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + end,
  );
  return path;
}

const recordsOf = (sessionId: string) =>
  Number(totalIn(readFacts([root]).sessions.get(sessionId)?.sums.byKind ?? new Map()).records);

describe('session files, read for reconcile', () => {
  it('counts a copied entry in the session with the oldest header', () => {
    write('z.jsonl', [header('old', 0), answer('a1', 1), answer('a2', 2)]);
    write('a.jsonl', [
      header('young', 10, 'old'),
      answer('a1', 1),
      answer('a2', 2),
      answer('a3', 11),
    ]);
    const { sessions } = readFacts([root]);
    expect([sessions.get('old')?.sums.units, sessions.get('young')?.sums.units]).toEqual([2, 1]);
    expect(sessions.get('young')?.copies).toEqual(new Map([['old', 2]]));
  });

  it('tells entries apart that share an id and nothing else', () => {
    write('one.jsonl', [header('one', 0), answer('a1', 1, 10)]);
    write('two.jsonl', [header('two', 5), answer('a1', 6, 10), answer('a1', 6, 20)]);
    expect([recordsOf('one'), recordsOf('two')]).toEqual([1, 2]);
  });

  it('reads a file with two names once, and a directory named twice or linked', () => {
    const path = write('one.jsonl', [header('one', 0), answer('a1', 1)]);
    linkSync(path, join(root, 'two.jsonl'));
    symlinkSync(root, join(root, 'loop'));
    const { sessions, problems } = readFacts([root, root, join(root, 'loop')]);
    expect(problems).toEqual([]);
    expect(sessions.get('one')?.files.length).toBe(1);
    expect(sessions.get('one')?.copies.size).toBe(0);
  });

  it('counts a line that stands twice in a file once', () => {
    write('one.jsonl', [header('one', 0), answer('a1', 1), answer('a1', 1)]);
    expect(recordsOf('one')).toBe(1);
  });

  it('lists what it cannot read with file and line, and counts the rest', () => {
    const path = write(
      'one.jsonl',
      [
        header('one', 0),
        '{"type":',
        answer('a1', 1),
        { ...answer('a2', 2), timestamp: 'yesterday' },
      ],
      '\n{"ty',
    );
    const { problems } = readFacts([root]);
    expect(problems.map(({ path: where, line }) => [where, line])).toEqual(
      [2, 4, 5].map((line) => [path, line]),
    );
    expect(recordsOf('one')).toBe(1);
  });

  it('lists the first lines of a file that it cannot read, and counts the others together', () => {
    const path = write('one.jsonl', [
      header('one', 0),
      ...Array.from({ length: 250 }, () => '{"type":'),
      answer('a1', 1),
    ]);
    const { problems, sessions } = readFacts([root]);
    expect(problems.length).toBe(101);
    const rest = {
      path,
      line: null,
      message: '150 more lines are unreadable',
      reason: 'line_left_out',
      lines: 150,
    };
    expect(problems.at(-1)).toEqual(rest);
    expect(sessions.get('one')?.unreadableLines).toBe(250);
    expect(recordsOf('one')).toBe(1);
  });

  it('lists a line that is nested too deep to be walked through, and counts the rest', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const path = write('one.jsonl', [
      header('one', 0),
      JSON.stringify(answer('a1', 1)).replace('"input"', `"x":${deep},"input"`),
      answer('a2', 2),
    ]);
    expect(readFacts([root]).problems).toMatchObject([{ path, line: 2 }]);
    expect(recordsOf('one')).toBe(1);
  });

  it('names a file without a header, and a link that leads nowhere', () => {
    write('none.jsonl', [answer('a1', 1)]);
    symlinkSync(join(root, 'gone.jsonl'), join(root, 'link.jsonl'));
    expect(readFacts([root]).problems.map(({ message }) => message)).toEqual([
      'cannot be read: it was deleted, or is a link that leads nowhere',
      expect.stringContaining('expected a session header'),
    ]);
  });

  it('finds the header behind the title that omp writes first', () => {
    write('one.jsonl', [
      { type: 'title', v: 1, title: '', pad: ' '.repeat(180) },
      header('one', 0),
      answer('a1', 1),
    ]);
    expect(recordsOf('one')).toBe(1);
  });

  it('takes for spend whatever carries usage, under its own name', () => {
    const spent = (type: string, more: object = {}) => ({
      type,
      id: type,
      timestamp: at(1),
      usage: usage(1),
      ...more,
    });
    const oracle = {
      type: 'message',
      id: 'o',
      timestamp: at(1),
      message: { role: 'oracle', usage: usage(2) },
    };
    const lines = [
      spent('compaction'),
      spent('branch_summary'),
      spent('usage', { kind: 'cache_warm' }),
      spent('model_usage'),
      spent('dream'),
      oracle,
    ];
    write('one.jsonl', [header('one', 0), ...lines]);
    const kinds = readFacts([root]).sessions.get('one')?.sums.byKind.keys();
    expect([...(kinds ?? [])]).toEqual([
      'compaction',
      'branch_summary',
      'cache_warm',
      'side_call',
      'dream',
      'oracle',
    ]);
  });

  it('passes over what is neither a file nor a directory', () => {
    symlinkSync('/dev/null', join(root, 'null.jsonl'));
    expect(readFacts([root]).problems).toEqual([]);
  });

  it('throws for a directory that is not there', () => {
    expect(() => readFacts([join(root, 'nowhere')])).toThrow('nowhere');
  });
});
