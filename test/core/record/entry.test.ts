import { describe, expect, it } from 'vitest';
import { entryRole, readEntry, readHeader, readUnnamedEntry } from '../../../core/record/entry.ts';

const timestamp = '2026-11-22T01:00:00.000Z';
const header = { type: 'session', id: 's', timestamp };
const line = { type: 'custom', id: 'e1', parentId: 'e0', timestamp };
const unnamed = { type: 'message', timestamp, message: { role: 'user' } };

describe('readHeader', () => {
  it('reads all formats', () => {
    const body = {
      ...header,
      cwd: '/srv/shop',
      version: 3,
      parentSession: '/s/parent.jsonl',
      branchedFrom: 'older',
    };
    expect(readHeader(body)).toEqual({
      id: 's',
      timestamp,
      timeMs: Date.parse(timestamp),
      cwd: '/srv/shop',
      formatVersion: 3,
      parentSession: '/s/parent.jsonl',
    });
    expect(readHeader({ ...header, branchedFrom: '/s/older.jsonl' })).toMatchObject({
      parentSession: '/s/older.jsonl',
    });
    expect(readHeader({ ...header, cwd: 7, version: '3' })).toMatchObject({
      cwd: null,
      formatVersion: null,
      parentSession: null,
    });
    expect(readHeader({ ...header, id: 'x'.repeat(200) })).toMatchObject({ id: 'x'.repeat(200) });
  });

  it.each([
    null,
    [],
    { ...header, type: 'custom' },
    { ...header, id: '' },
    { ...header, id: 'x'.repeat(201) },
    { ...header, timestamp: 7 },
    { ...header, timestamp: 'yesterday' },
    { ...header, timestamp: '1969-12-31T23:59:59.999Z' },
  ])('takes %j for no header', (value) => {
    expect(readHeader(value)).toBeNull();
  });
});

describe('readEntry', () => {
  it('reads the common fields, and keeps the rest', () => {
    expect(readEntry(line)).toEqual({
      id: 'e1',
      key: 'e1',
      parentId: 'e0',
      type: 'custom',
      timestamp,
      body: line,
    });
    expect(readEntry({ ...line, parentId: null })).toMatchObject({ parentId: null });
    expect(readEntry({ ...line, timestamp: 'yesterday' })).toMatchObject({
      timestamp: 'yesterday',
    });
  });

  it.each([
    null,
    [line],
    { ...line, type: 'session' },
    { ...line, type: '' },
    { ...line, id: 7 },
    { ...line, id: 'x'.repeat(101) },
    { ...line, timestamp: 7 },
    { type: 'title', title: 'x', timestamp },
  ])('takes %j for no entry', (value) => {
    expect(readEntry(value)).toBeNull();
  });
});

describe('readUnnamedEntry', () => {
  it('reads an entry without an id, keyed by its content', () => {
    const entry = readUnnamedEntry(unnamed, 'e0');
    expect(entry).toEqual({
      id: entry?.key,
      key: entry?.key,
      parentId: 'e0',
      type: 'message',
      timestamp,
      body: unnamed,
    });
    expect(readUnnamedEntry(unnamed, null)).toMatchObject({ key: entry?.key, parentId: null });
  });

  it('gives it the same key before and after a host adds an id', () => {
    const { key } = readUnnamedEntry(unnamed, null) ?? {};
    expect(key).toMatch(/^v1-[0-9a-f]{16}$/);
    expect(readEntry({ ...unnamed, id: 'random', parentId: 'other' })).toMatchObject({
      id: 'random',
      key,
    });
    expect(readEntry({ id: 'e1', ...unnamed })).toMatchObject({ id: 'e1', key: 'e1' });
  });

  it.each([
    null,
    [unnamed],
    { ...unnamed, id: 'e1' },
    { ...unnamed, id: null },
    { ...unnamed, type: 'session' },
    { ...unnamed, type: 'title' },
    { ...unnamed, type: '' },
    { ...unnamed, timestamp: 7 },
  ])('takes %j for no entry', (value) => {
    expect(readUnnamedEntry(value, null)).toBeNull();
  });
});

describe('entryRole', () => {
  it.each([
    [{ type: 'message', message: { role: 'user' } }, 'user'],
    [{ type: 'message', message: { role: '' } }, null],
    [{ type: 'message', message: 'x' }, null],
    [{ type: 'message' }, null],
    [{ type: 'custom', message: { role: 'user' } }, null],
  ])('of %j is %s', (body, role) => {
    const entry = readEntry({ id: 'e1', timestamp, ...body });
    expect(entry && entryRole(entry)).toBe(role);
  });
});
