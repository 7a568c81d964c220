import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FileFacts } from '../../../../collector/reconcile/files/file-facts.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { readFacts } from '../support/read-facts.ts';
import { at, header, line, writeFile } from '../support/two-sides.ts';

const directory = temporaryDirectory();

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(directory, 'facts-'));
});

const one = { id: 'a1', second: 1 };

const two = { id: 'a2', second: 2, input: 20 };

const sessionIn = (facts: FileFacts, id: string) => facts.sessions.get(id);

describe('a file that stands in the directory of another one', () => {
  const parentName = '2026-03-01T09-00-00-000Z_parent';

  it('is its subagent, known by its name', () => {
    writeFile(root, `${parentName}.jsonl`, [header('parent', 0)]);
    writeFile(root, `${parentName}/Scout.jsonl`, [header('child', 1)]);
    expect(readFacts([root]).children).toEqual([
      { sessionId: 'child', parentSessionId: 'parent', claimKey: 'agent:Scout' },
    ]);
  });

  it('is its subagent once, however many copies there are', () => {
    for (const place of ['x', 'y']) {
      writeFile(root, `${place}/${parentName}.jsonl`, [header('parent', 0)]);
      writeFile(root, `${place}/${parentName}/Scout.jsonl`, [header('child', 1)]);
    }
    expect(readFacts([root]).children).toHaveLength(1);
  });

  it('is found by the id in the name where the parent’s file stands elsewhere', () => {
    writeFile(root, 'elsewhere.jsonl', [header('parent', 0)]);
    writeFile(root, `${parentName}/Scout.jsonl`, [header('child', 1)]);
    expect(readFacts([root]).children).toMatchObject([{ parentSessionId: 'parent' }]);
  });

  it('is nobody’s where nobody has such a file', () => {
    writeFile(root, `${parentName}/Scout.jsonl`, [header('child', 1)]);
    writeFile(root, 'sessions/other.jsonl', [header('other', 1)]);
    expect(readFacts([root]).children).toEqual([]);
  });

  it('is found by file, whatever that is called', () => {
    writeFile(root, 'talk.jsonl', [header('parent', 0)]);
    writeFile(root, 'talk/Scout.jsonl', [header('child', 1)]);
    expect(readFacts([root]).children).toMatchObject([
      { parentSessionId: 'parent', claimKey: 'agent:Scout' },
    ]);
  });
});

describe('where session files are looked for', () => {
  it('is every directory below, but for other files', () => {
    writeFile(root, 'a/b/c/s.jsonl', [header('deep', 0)]);
    writeFile(root, 'notes.txt', [header('text', 0)]);
    mkdirSync(join(root, 'x.jsonl'));
    const { sessions, problems } = readFacts([root]);
    expect([[...sessions.keys()], problems]).toEqual([['deep'], []]);
  });

  it('is a single file that somebody names', () => {
    expect([...readFacts([writeFile(root, 's.jsonl', [header('s', 0)])]).sessions.keys()]).toEqual([
      's',
    ]);
  });

  it('is 32 directories deep, and says what lies deeper', () => {
    const deep = (levels: number) => Array.from({ length: levels }, () => 'd').join('/');
    writeFile(root, `${deep(32)}/s.jsonl`, [header('s', 0)]);
    writeFile(root, `${deep(33)}/t.jsonl`, [header('t', 0)]);
    const { sessions, problems } = readFacts([root]);
    expect([...sessions.keys()]).toEqual(['s']);
    const message = 'is not searched: it lies more than 32 directories deep';
    expect(problems).toEqual([
      { path: join(root, deep(33)), line: null, message, reason: 'file_left_out' },
    ]);
  });
});

describe('files whose headers are of one time', () => {
  it('own by the order of their paths', () => {
    writeFile(root, 'b.jsonl', [header('first by name?', 0), line(one)]);
    writeFile(root, 'a.jsonl', [header('first by path', 0), line(one)]);
    const facts = readFacts([root]);
    expect(sessionIn(facts, 'first by path')?.sums.units).toBe(1);
    expect(sessionIn(facts, 'first by name?')?.copies).toEqual(new Map([['first by path', 1]]));
  });

  it('own by these in whatever order their directories are named', () => {
    writeFile(root, 'b/s.jsonl', [header('behind', 0), line(one)]);
    writeFile(root, 'a/s.jsonl', [header('in front', 0), line(one)]);
    for (const names of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const facts = readFacts(names.map((name) => join(root, name)));
      expect(sessionIn(facts, 'behind')?.copies).toEqual(new Map([['in front', 1]]));
    }
  });
});

describe('a file without a header', () => {
  const lost = '2026-03-01T09-00-00-000Z_lost.jsonl';
  const change = {
    type: 'model_change',
    id: 'k',
    parentId: null,
    timestamp: at(0),
    provider: 'p',
    modelId: 'm',
  };

  it('is known by its name, if that tells', () => {
    const path = writeFile(root, lost, [line(one)]);
    const facts = readFacts([root]);
    expect(sessionIn(facts, 'lost')?.sums.units).toBe(1);
    const message =
      'expected a session header before the first entry; ' +
      'its session id and time are taken from the file name';
    expect(facts.problems).toEqual([{ path, line: null, message, reason: 'unreadable_line' }]);
    expect(sessionIn(facts, 'lost')?.files[0]?.header).toMatchObject({
      timeMs: Date.parse(at(0)),
      version: 1,
      parentSession: null,
    });
  });

  it.each<[what: string, lines: readonly (object | string)[], reason: string]>([
    ['has entries', [change], 'file_left_out'],
    [
      'has entries behind something else',
      [...Array.from({ length: 19 }, () => 'hello'), change],
      'file_left_out',
    ],
    [
      'has entries behind more than that',
      [...Array.from({ length: 20 }, () => 'hello'), change],
      'unreadable_line',
    ],
    ['speaks of usage', ['{"usage"'], 'file_left_out'],
    ['speaks of usage in another encoding', ['"\0u\0s\0a\0g\0e\0"\0'], 'file_left_out'],
    ['is of another kind', ['hello', '{"a":1}'], 'unreadable_line'],
    ['is a title alone', [{ type: 'title', v: 1 }], 'unreadable_line'],
  ])('and without a telling name may hold spend where it %s', (_what, lines, reason) => {
    writeFile(root, 'notes.jsonl', lines as never);
    const { problems, sessions } = readFacts([root]);
    expect(problems).toMatchObject([
      {
        line: null,
        reason,
        message: 'expected a session header before the first entry',
      },
    ]);
    expect(sessions.size).toBe(0);
  });

  it('is not known by the name of its directory', () => {
    writeFile(root, `${lost}/notes.jsonl`, [line(one)]);
    const { problems, sessions } = readFacts([root]);
    expect(problems).toMatchObject([{ reason: 'file_left_out' }]);
    expect(sessions.size).toBe(0);
  });

  it('and without anything is nothing', () => {
    writeFileSync(join(root, 'empty.jsonl'), '');
    expect(readFacts([root])).toMatchObject({ problems: [], bytes: 0 });
  });

  it('in front of its first entry has none: one further down is another session’s', () => {
    writeFile(root, lost, [line(one), header('other', 0), line(two)]);
    expect([...readFacts([root]).sessions.keys()]).toEqual(['lost']);
  });

  it('in its first lines may have it behind damage', () => {
    writeFile(root, 'a.jsonl', ['hello', '{"a', header('a', 0), line(one)]);
    expect([...readFacts([root]).sessions.keys()]).toEqual(['a']);
  });
});
