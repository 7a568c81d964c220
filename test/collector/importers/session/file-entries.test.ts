/** Entries of one file, named as in their events. */
import { expect, it } from 'vitest';
import { createFileEntries } from '../../../../collector/importers/session/file-entries.ts';

const timestamp = '2026-11-20T09:00:00.000Z';
/** As a host writes it; one that was written without an id has it behind the time. */
const named = (id: string, parentId: string | null, body: object = {}) => ({
  type: 'custom',
  id,
  parentId,
  timestamp,
  ...body,
});
const resumed = (id: string, parentId: string | null, body: object = {}) => ({
  type: 'compaction',
  timestamp,
  ...body,
  id,
  parentId,
});
const byContent = expect.stringMatching(/^v1-[0-9a-f]{16}$/);

it('the first entry is named by its content, though nothing is above it', () => {
  const first = createFileEntries(null).read(resumed('random', null));
  expect(first).toMatchObject({ id: byContent, key: byContent, parentId: null });
  expect(first?.id).toBe(createFileEntries(null).read({ type: 'compaction', timestamp })?.id);
});

it('an entry below one that was renamed refers to its name, and else is as it was written', () => {
  const entries = createFileEntries(null);
  const above = entries.read(resumed('random', null));
  const kept = { firstKeptEntryId: 'k' };
  expect(entries.read(named('n1', 'random', kept))).toMatchObject({
    id: 'n1',
    key: 'n1',
    parentId: above?.id,
    body: kept,
  });
  expect(entries.read(named('n2', 'n1', kept))).toMatchObject({
    id: 'n2',
    parentId: 'n1',
    body: kept,
  });
});

it('an entry that was renamed says nothing of what is kept first', () => {
  const read = createFileEntries(null).read(resumed('random', null, { firstKeptEntryId: 'k' }));
  expect(read?.body.firstKeptEntryId).toBeUndefined();
});
