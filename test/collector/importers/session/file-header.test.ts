/** Headers from the file, its name or an id. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createFileHeaders,
  headerById,
  headerByName,
} from '../../../../collector/importers/session/file-header.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { writeLines } from '../support/files.ts';

const root = temporaryDirectory();
const timestamp = '2026-11-20T09:00:00.000Z';
const header = JSON.stringify({
  type: 'session',
  version: 3,
  id: 's1',
  timestamp,
  cwd: '/srv/shop',
});
const of = (lines: readonly string[], end?: string) =>
  createFileHeaders().of(writeLines(join(mkdtempSync(join(root, 'h-')), 's.jsonl'), lines, end))
    ?.id ?? null;

describe('the header of a file', () => {
  it('stands in one of its first five lines, whatever the others are', () => {
    expect(of([header])).toBe('s1');
    expect(of(['{"type":"title"}', 'oops', '', '1', header])).toBe('s1');
    expect(of(['{"type":"title"}', 'oops', '', '1', '2', header])).toBeNull();
    expect(of([])).toBeNull();
  });

  it('is none before it has its end, or beyond the first 64 KiB', () => {
    expect(of([header], '')).toBeNull();
    expect(of(['x'.repeat(60_000), header])).toBe('s1');
    expect(of(['x'.repeat(70_000), header])).toBeNull();
  });

  it('is none where there is no file that can be read', () => {
    const headers = createFileHeaders();
    expect(headers.of(root)).toBeNull();
    expect(headers.of(join(root, 'gone.jsonl'))).toBeNull();
  });

  it('is remembered, and that there is none too', () => {
    const headers = createFileHeaders();
    const [path, later] = [join(root, 'a.jsonl'), join(root, 'b.jsonl')];
    writeLines(path, [header]);
    expect([headers.of(path)?.id, headers.of(later)]).toEqual(['s1', null]);
    rmSync(path);
    writeLines(later, [header]);
    expect([headers.of(path)?.id, headers.of(later)]).toEqual(['s1', null]);
  });
});

it.each([
  ['/x/2026-11-20T09-00-00-123Z_s1.jsonl', 's1', '2026-11-20T09:00:00.123Z'],
  ['C:\\x\\2026-11-20T09-00-00-123Z_s1.jsonl', 's1', '2026-11-20T09:00:00.123Z'],
  [
    '/2026-11-19T08-00-00-000Z_x/2026-11-20T09-00-00-123Z_s1.jsonl',
    's1',
    '2026-11-20T09:00:00.123Z',
  ],
  ['2026-11-20T09-00-00Z_a_b.jsonl', 'a_b', '2026-11-20T09:00:00.000Z'],
])('the name %s tells id and time', (path, id, time) => {
  expect(headerByName(path)).toEqual({
    id,
    timestamp: time,
    timeMs: Date.parse(time),
    cwd: null,
    formatVersion: null,
    parentSession: null,
  });
});

it.each([
  '/x/s1.jsonl',
  '/2026-11-20T09-00-00-123Z_x/s1.jsonl',
  '/x/2026-13-20T09-00-00-123Z_s1.jsonl',
  '/x/2026-11-20T09-00-00-123Z_s1.txt',
])('the name %s tells nothing', (path) => {
  expect(headerByName(path)).toBeNull();
});

it('an id that a host drew tells its time', () => {
  const ms = Date.parse('2026-11-20T09:00:00.123Z').toString(16).padStart(12, '0');
  const id = `${ms.slice(0, 8)}-${ms.slice(8)}-7abc-9def-0123456789ab`;
  expect(headerById(id)).toMatchObject({
    id,
    timestamp: '2026-11-20T09:00:00.123Z',
    cwd: null,
    parentSession: null,
  });
  const others = [
    id.replace('-7', '-4'),
    id.replace('-9', '-c'),
    id.toUpperCase(),
    `x${id}`,
    `${id}x`,
    's1',
    '',
    null,
  ];
  expect(others.map(headerById)).toEqual(others.map(() => null));
});
