import { describe, expect, it } from 'vitest';
import {
  readHeader,
  sessionIdInName,
  sessionIdInTimedName,
} from '../../../../collector/reconcile/files/file-header.ts';
import { at, type Json } from '../support/entries.ts';

describe('a header', () => {
  const header = {
    type: 'session',
    id: 's',
    timestamp: at(0),
    version: 3,
    cwd: '/srv/shop',
    parentSession: 'p.jsonl',
  };

  it('says whose session it is, since when, from which one, and in what format', () => {
    expect(readHeader(header)).toEqual({
      sessionId: 's',
      timeMs: Date.parse(at(0)),
      cwd: '/srv/shop',
      parentSession: 'p.jsonl',
      version: 3,
    });
  });

  it.each([
    ['of another type', { type: 'message' }],
    ['without an id', { id: undefined }],
    ['with an empty id', { id: '' }],
    ['with a number for an id', { id: 5 }],
    ['without a time', { timestamp: 'yesterday' }],
  ])('%s is none', (_what, over) => expect(readHeader({ ...header, ...over })).toBeNull());

  it.each<[what: string, over: Json, said: Json]>([
    ['format v1, which does not say', { version: undefined }, { version: 1 }],
    ['a version that is none', { version: '3' }, { version: 1 }],
    [
      'what format v1 calls the parent',
      { parentSession: undefined, branchedFrom: 'b.jsonl' },
      { parentSession: 'b.jsonl' },
    ],
    ['both names of the parent', { branchedFrom: 'b.jsonl' }, { parentSession: 'p.jsonl' }],
    ['a parent that is no text', { parentSession: 5 }, { parentSession: null }],
    ['no parent', { parentSession: undefined }, { parentSession: null }],
    ['a directory that is no text', { cwd: 5 }, { cwd: null }],
  ])('reads %s', (_what, over, saidOfIt) =>
    expect(readHeader({ ...header, ...over })).toMatchObject(saidOfIt),
  );

  it.each([
    ['1970-01-01T00:00:00.000Z', 0],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    ['1969-12-31T23:59:59.999Z', undefined],
    ['+010000-01-01T00:00:00.000Z', undefined],
  ])('of %s is of a time that an id can say, or none', (timestamp, ms) =>
    expect(readHeader({ ...header, timestamp })?.timeMs).toBe(ms),
  );
});

describe('the id in a file’s name', () => {
  const time = '2026-03-01T09-00-00-000Z';

  it.each<[path: string, named: string | null, timed: string | null]>([
    [`${time}_x.jsonl`, 'x', 'x'],
    [`/s/${time}_my_run.JSONL`, 'my_run', 'my_run'],
    [`C:\\s\\${time}_x.jsonl`, 'x', 'x'],
    ['/s/time_x.jsonl', 'x', null],
    [`/s/a${time}_x.jsonl`, 'x', null],
    [`/s/${time}_.jsonl`, null, null],
    [`/s/${time}_x.jsonl.bak`, null, null],
    [`/s/${time}_x/y.jsonl`, null, null],
    ['/s/x.jsonl', null, null],
    ['/a_b/x.jsonl', null, null],
  ])('of %s is %s, and behind a time %s', (path, named, timed) => {
    expect([sessionIdInName(path), sessionIdInTimedName(path)]).toEqual([named, timed]);
  });
});
