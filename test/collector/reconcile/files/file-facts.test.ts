/** What session files say together: owners, children, and records read again one by one. */
import { mkdtempSync, writeFileSync } from 'node:fs';
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

const tool = (id: string, second: number, message: object) =>
  line({ id, second }, { role: 'toolResult', usage: undefined, responseId: undefined, ...message });

const claim = (name: string) =>
  tool('t1', 3, { details: { results: [{ id: name, index: 0, usage: { input: 5 } }] } });

const unitsOf = (facts: FileFacts, ...sessions: readonly string[]) =>
  [...facts.unitsOf(new Set(sessions))].map(
    ({ unit, file }) => `${file.header.sessionId} ${unit.sessionId} ${unit.entryId}`,
  );

const sessionIn = (facts: FileFacts, id: string) => facts.sessions.get(id);

describe('records of session files', () => {
  it('are read again for requested sessions: the ones they own, each once', () => {
    writeFile(root, 'old.jsonl', [header('old', 0), line(one), line(one)]);
    writeFile(root, 'new.jsonl', [
      header('new', 10, 'old'),
      line(one),
      line({ id: 'n1', second: 11 }),
    ]);
    const facts = readFacts([root]);
    expect(unitsOf(facts, 'old')).toEqual(['old old a1']);
    expect(unitsOf(facts, 'new', 'nobody')).toEqual(['new new n1']);
    expect(unitsOf(facts)).toEqual([]);
  });

  it('have an owner, and an answer has somebody who gave it', () => {
    writeFile(root, 'a.jsonl', [header('a', 0), line(one)]);
    writeFile(root, 'b.jsonl', [header('b', 5), line({ id: 'b1', second: 6 })]);
    const facts = readFacts([root]);
    for (const id of ['a', 'b']) {
      const [{ unit } = { unit: null }] = facts.unitsOf(new Set([id]));
      expect(facts.ownerOf(unit?.identity ?? '')).toBe(id);
    }
    expect(facts.ownerOf('0'.repeat(32))).toBeNull();
    expect(facts.answererOf('response:0000000000000000')).toBeNull();
  });

  it('that a parent repeats are found by what it says of them', () => {
    const answer = line(one);
    writeFile(root, 'child.jsonl', [header('child', 0), answer]);
    writeFile(root, 'parent.jsonl', [
      header('parent', 0),
      tool('t1', 3, { details: { results: [{ messages: [answer.message] }] } }),
    ]);
    const facts = readFacts([root]);
    const [key = ''] = facts.claims.map(({ claimKey }) => claimKey ?? '');
    expect(facts.answererOf(key)).toBe('child');
    const other = key.endsWith('0') ? '1' : '0';
    expect(facts.answererOf(`${key.slice(0, -1)}${other}`)).toBeNull();
  });

  it('that somebody names are of the session that began under that name meanwhile', () => {
    writeFile(root, 'gone/A.jsonl', [header('child', 2)]);
    writeFile(root, 'gone/B.jsonl', [header('other', 2)]);
    writeFile(root, 'gone/early.jsonl', [header('early', 1)]);
    const early = { ...claim('early'), id: 't2', parentId: 'a2' };
    writeFile(root, 'parent.jsonl', [
      header('parent', 0),
      line(one),
      { ...claim('A'), parentId: 'a1' },
      line(two),
      early,
    ]);
    expect(readFacts([root]).children).toEqual([
      { sessionId: 'child', parentSessionId: 'parent', claimKey: 'agent:A' },
    ]);
  });

  it('of before the floor are counted, and nothing else', () => {
    writeFile(root, 'a.jsonl', [header('a', 0), line(one), line(two), claim('A')]);
    const facts = readFacts([root], {
      floorMs: Date.parse(at(2)),
      latestMs: Number.POSITIVE_INFINITY,
    });
    expect(sessionIn(facts, 'a')).toMatchObject({
      sealedUnits: 1,
      unitsAhead: 0,
      sums: { units: 2 },
    });
    expect(unitsOf(facts, 'a')).toEqual(['a a a2', 'a a t1']);
    expect(readFacts([root], { floorMs: Date.parse(at(4)), latestMs: 0 }).claims).toEqual([]);
  });

  it('of a time that is not yet are counted, and told as the others', () => {
    writeFile(root, 'a.jsonl', [
      header('a', 0),
      line(one),
      line(two),
      line({ id: 'a3', second: 3 }),
    ]);
    const facts = readFacts([root], { floorMs: 0, latestMs: Date.parse(at(2)) });
    expect(sessionIn(facts, 'a')).toMatchObject({
      unitsAhead: 1,
      sealedUnits: 0,
      sums: { units: 3 },
    });
  });

  it('that lost their price count where a file has it, else where they are', () => {
    const usage = {
      input: 10,
      output: 1,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 11,
      cost: { total: 0 },
    };
    writeFile(root, 'copy.jsonl', [header('copy', 5), line(one, { usage })]);
    expect(sessionIn(readFacts([root]), 'copy')?.sums.units).toBe(1);
    writeFile(root, 'whole.jsonl', [header('whole', 9), line(one)]);
    const facts = readFacts([root]);
    expect([sessionIn(facts, 'copy')?.sums.units, sessionIn(facts, 'whole')?.sums.units]).toEqual([
      0, 1,
    ]);
    expect(sessionIn(facts, 'copy')?.copies).toEqual(new Map([['whole', 1]]));
  });

  it.each([0, 1])('that never had a price count in the file of second %d, their own', (second) => {
    const usage = { input: 10, output: 1, totalTokens: 11, cacheRead: 0, cacheWrite: 0 };
    writeFile(root, 'own.jsonl', [header('own', second), line(one, { usage })]);
    writeFile(root, 'priced.jsonl', [header('priced', 9), line(one)]);
    const facts = readFacts([root]);
    expect(sessionIn(facts, 'own')?.sums.units).toBe(1);
    expect(sessionIn(facts, 'priced')?.copies).toEqual(new Map([['own', 1]]));
  });

  it('are claims where somebody else may have spent it', () => {
    const nested = tool('t2', 4, { usage: { input: 7 } });
    writeFile(root, 'a.jsonl', [
      header('a', 0),
      line(one),
      claim('A'),
      { ...nested, parentId: 'a1' },
    ]);
    expect(readFacts([root]).claims.map(({ entryId, kind }) => [entryId, kind])).toEqual([
      ['t1', 'claim'],
      ['t2', 'tool'],
    ]);
  });

  it('say how many bytes were read', () => {
    const [a, b] = ['a', 'b'].map((id) => writeFile(root, `${id}.jsonl`, [header(id, 0)]));
    writeFileSync(a as string, `${JSON.stringify(header('a', 0))}\n`);
    writeFileSync(b as string, `${JSON.stringify(header('b', 0))}\n\n\n`);
    expect(readFacts([root]).bytes).toBe(2 * JSON.stringify(header('a', 0)).length + 4);
  });
});

describe('a file of a session', () => {
  it('that is blank here and there is no damage', () => {
    writeFile(root, 'a.jsonl', ['', header('a', 0), '  ', line(one)]);
    expect(readFacts([root]).problems).toEqual([]);
  });

  it('has its damaged header in front, behind nothing but a title', () => {
    const damaged = JSON.stringify(header('a', 0)).slice(0, 30);
    const title = { type: 'title', v: 1, title: 'x' };
    const name = '2026-03-01T09-00-00-000Z_a.jsonl';
    const reasons = (...lines: readonly (object | string)[]) => {
      writeFile(root, name, lines as never);
      return readFacts([root]).problems.flatMap(({ line: number, reason }) =>
        number === null ? [] : [`${number} ${reason}`],
      );
    };
    expect(reasons(damaged, line(one))).toEqual(['1 unreadable_line']);
    expect(reasons(title, damaged, line(one))).toEqual(['2 unreadable_line']);
    expect(reasons(line(one), damaged, line(two))).toEqual(['2 line_left_out']);
    expect(reasons(damaged, damaged, line(two))).toEqual(['1 unreadable_line', '2 line_left_out']);
  });

  it('that is of a newer format is named, and read all the same', () => {
    const path = writeFile(root, 'a.jsonl', [{ ...header('a', 0), version: 4 }, line(one)]);
    const facts = readFacts([root]);
    expect(facts.problems).toEqual([
      {
        path,
        line: null,
        message:
          'format version 4 is newer than the known version 3; anything new in it is not counted',
        reason: 'format_unknown',
      },
    ]);
    expect(sessionIn(facts, 'a')?.sums.units).toBe(1);
  });
});
