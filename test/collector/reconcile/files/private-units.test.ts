/** Records of session files that were made while the user had paused the recording. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEntryReader } from '../../../../collector/reconcile/files/file-entries.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { answer, entry, type Json, usage } from '../support/entries.ts';
import { readFacts } from '../support/read-facts.ts';
import { at, header, line, writeFile } from '../support/two-sides.ts';

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'private-'));
});

const mark = (state: string, parentId: string | null = null) =>
  entry(state, parentId, { type: 'custom', customType: 'pi-ledger.recording', data: { state } });
const tool = (id: string, parentId: string) =>
  entry(id, parentId, { message: { role: 'toolResult', usage } });

function readAll(...lines: readonly Json[]) {
  const reader = createEntryReader('s');
  return lines.flatMap((each) => reader.read(each) ?? []);
}

describe('an entry of a private stretch', () => {
  it('is read like others, and marked', () => {
    const units = readAll(
      answer('a'),
      mark('paused', 'a'),
      answer('b', 'paused'),
      tool('t', 'b'),
      mark('resumed', 't'),
      tool('u', 'resumed'),
      answer('c', 'u'),
    );
    expect(units.map(({ unit, isPrivate }) => [unit.entryId, isPrivate === true])).toEqual([
      ['a', false],
      ['b', true],
      ['t', true],
      ['u', true],
      ['c', false],
    ]);
  });

  it('is nothing to complain about where it has no place', () => {
    const reader = createEntryReader('s');
    const lost = { ...answer('b'), timestamp: 'yesterday' };
    expect(reader.read(lost)).toBeNull();
    reader.read(mark('paused'));
    expect(reader.read(lost)).toEqual([]);
    expect(reader.isPaused).toBe(true);
  });

  it('is above nothing that follows; its model goes on', () => {
    const lines = [
      mark('paused'),
      answer('b', 'paused', { provider: 'q', model: 'n' }),
      mark('resumed', 'b'),
      entry('u', 'resumed', { message: { role: 'user', content: 'x' } }),
    ];
    const [, result] = readAll(...lines, tool('t', 'u'));
    expect(result).toMatchObject({ turnAtMs: null, unit: { entryId: 't', turnEntryId: null } });
    const [, summary] = readAll(...lines, entry('c', 'u', { type: 'compaction', usage }));
    expect(summary?.unit).toMatchObject({ provider: 'q', model: 'n' });
  });
});

describe('the records of a private stretch', () => {
  const hidden = line({ id: 'b', second: 2 });
  const stretch = [
    line({ id: 'a', second: 1 }),
    { ...mark('paused'), timestamp: at(2) },
    hidden,
    { ...mark('resumed'), timestamp: at(3) },
    line({ id: 'c', second: 4 }),
  ];

  it('are counted apart, once for all their copies', () => {
    writeFile(root, 'old.jsonl', [header('old', 0), ...stretch, line({ id: 'd', second: 5 })]);
    writeFile(root, 'new.jsonl', [header('new', 9, 'old'), ...stretch]);
    const { sessions } = readFacts([root]);
    const told = ['old', 'new'].map((id) => {
      const { sums, privateUnits } = sessions.get(id) ?? expect.fail('no session');
      return [sums.units, privateUnits];
    });
    expect(told).toEqual([
      [3, 1],
      [0, 0],
    ]);
    expect(sessions.get('new')?.copies).toEqual(new Map([['old', 2]]));
  });

  it('are known by their identity, and have no owner', () => {
    writeFile(root, 's.jsonl', [header('s', 0), ...stretch]);
    const facts = readFacts([root]);
    const [told] = createEntryReader('s').read(hidden) ?? [];
    const identity = told?.unit.identity ?? expect.fail('no record');
    expect([facts.isPrivate(identity), facts.ownerOf(identity)]).toEqual([true, null]);
    const others = [...facts.unitsOf(new Set(['s']))].map(({ unit }) => unit);
    expect(others.map(({ entryId }) => entryId)).toEqual(['a', 'c']);
    for (const unit of others) expect(facts.isPrivate(unit.identity)).toBe(false);
  });

  it('are missed by nobody where they cannot be read', () => {
    const damaged = '{"type":"message","id":"x1","mess';
    const lines = [...stretch.slice(0, 3), damaged, ...stretch.slice(3), damaged];
    writeFile(root, 's.jsonl', [header('s', 0), ...lines]);
    const { problems, sessions } = readFacts([root]);
    expect(problems).toMatchObject([{ line: 8, reason: 'line_left_out', entryId: 'x1' }]);
    expect(sessions.get('s')?.unreadableLines).toBe(1);
  });
});
