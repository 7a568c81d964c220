/** What a scan of session files reports, and what it asks of others. */

import { mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { omp } from '../../../collector/importers/omp/importer.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
import type { ScanCounts } from '../../../collector/importers/progress/scans.ts';
import { createSealedTotals, eachCount } from '../../../collector/seal/late-events.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeLines, writeSession } from './support/files.ts';
import { createImports, memoryProgress } from './support/imports.ts';
import { ack, story } from './support/scans.ts';

const root = temporaryDirectory();

const nowMs = Date.parse('2026-11-21T09:00:00.000Z');

/** Sessions whose files were changed an hour ago. */
function sessions(...ids: readonly string[]): { directory: string; paths: readonly string[] } {
  const directory = mkdtempSync(join(root, 'sessions-'));
  const paths = ids.map((id) => writeSession(directory, story(id)));
  for (const path of paths) changed(path, nowMs - 3_600_000);
  return { directory, paths };
}

const changed = (path: string, ms: number) => utimesSync(path, ms / 1_000, ms / 1_000);

it('counts files and events by what became of them', async () => {
  const { directory, paths } = sessions('a', 'b', 'c');
  writeLines(join(directory, 'other.jsonl'), ['1', '2']);
  changed(join(directory, 'other.jsonl'), nowMs - 3_600_000);
  const imports = createImports(pi, directory);
  const options = { now: () => nowMs, quietMs: 60_000 };
  const bytesOf = (some: readonly string[]) =>
    some.reduce((sum, path) => sum + statSync(path).size, 0);
  expect(await imports.scan(options)).toEqual({
    hosts: { pi: { found: 4, toRead: 4 } },
    wasPutBack: false,
    files: { found: 4, unchanged: 0, read: 3, leftAlone: 0, failed: 1 },
    bytes: bytesOf([...paths, join(directory, 'other.jsonl')]),
    events: { new: 9, known: 0, expired: 0, late: { events: 0, sessions: 0 }, rejected: 0 },
    issues: [expect.objectContaining({ code: 'no_header' })],
    issueCount: 1,
    lostCount: 0,
  });
  const [first = '', second = ''] = paths;
  writeSession(directory, story('a'));
  changed(first, nowMs - 30_000);
  changed(second, nowMs - 1_800_000);
  expect(await imports.scan(options)).toMatchObject({
    files: { found: 4, unchanged: 1, read: 1, leftAlone: 1, failed: 1 },
    bytes: 0,
    events: { new: 0, known: 0 },
    issueCount: 1,
  });
});

it('leaves alone what was changed within the quiet time, to the millisecond', async () => {
  const { directory, paths } = sessions('a', 'b', 'c');
  for (const [index, path] of paths.entries()) changed(path, nowMs - 60_000 + (index - 1) * 1_000);
  const { files } = await createImports(pi, directory).scan({ now: () => nowMs, quietMs: 60_000 });
  expect(files).toMatchObject({ read: 2, leftAlone: 1 });
});

it('reads everything without a quiet time, even files of the future', async () => {
  const { directory, paths } = sessions('a');
  changed(paths[0] ?? '', nowMs + 3_600_000);
  expect((await createImports(pi, directory).scan({ now: () => nowMs })).files).toMatchObject({
    read: 1,
    leftAlone: 0,
  });
});

it('tells how far it has come: first what there is to do, then each batch', async () => {
  const { directory, paths } = sessions('a', 'b');
  const imports = createImports(pi, directory);
  const told: ScanCounts[] = [];
  const onProgress = (standing: ScanCounts) => void told.push(standing);
  const accept = async (values: readonly unknown[]) =>
    ack({ accepted: 1, duplicates: 1, expired: values.length - 2 });
  await imports.scan({ onProgress, accept });
  const bytes = paths.map((path) => statSync(path).size);
  const whole = { filesToRead: 2, bytesToRead: (bytes[0] ?? 0) + (bytes[1] ?? 0) };
  expect(told).toMatchObject([
    { ...whole, files: 0, bytes: 0, events: 0 },
    { ...whole, files: 0, bytes: bytes[0], events: 3 },
    { ...whole, files: 1, bytes: whole.bytesToRead, events: 6 },
  ]);
  told.length = 0;
  await imports.scan({ onProgress });
  expect(told).toEqual([]);
});

it('adds up what the log says of its batches, and names each event that it refused', async () => {
  const { directory, paths } = sessions('a', 'b');
  const refusals = [
    { code: 'invalid_event', field: 'data.spend', message: 'too large' },
    { code: 'unknown_type', field: '', message: 'nobody knows it' },
  ];
  const accept = async () =>
    ack({ accepted: 3, duplicates: 2, expired: 1, rejected: refusals as never });
  const counts = { countRecords: async () => new Map(), sumTools: async () => eachCount(() => 0n) };
  const readSealedTotals = async () => createSealedTotals(0, counts);
  const options = { accept, readSealedTotals };
  const { events, issues, lostCount } = await createImports(pi, directory).scan(options);
  const late = { events: 0, sessions: 0 };
  expect(events).toEqual({ new: 6, known: 4, expired: 2, late, rejected: 4 });
  expect(lostCount).toBe(4);
  expect(issues).toEqual(
    paths.flatMap((file) => [
      {
        code: 'events_refused',
        file,
        line: null,
        message: 'an event was refused (invalid_event at data.spend: too large)',
        mayHoldSpend: true,
      },
      {
        code: 'events_refused',
        file,
        line: null,
        message: 'an event was refused (unknown_type: nobody knows it)',
        mayHoldSpend: true,
      },
    ]),
  );
});

it('offers nothing where a file holds no events, and reads it all the same', async () => {
  const directory = mkdtempSync(join(root, 'sessions-'));
  writeLines(join(directory, 'other.jsonl'), ['1']);
  const accept = () => Promise.reject(new Error('not to be asked'));
  expect(await createImports(pi, directory).scan({ accept })).toMatchObject({
    bytes: 2,
    files: { failed: 1 },
  });
});

it('says of each file that nobody may tell what of it is older than the seal', async () => {
  const { directory, paths } = sessions('a', 'b');
  const imports = createImports(pi, directory);
  const accept = async () => ack({ accepted: 2, expired: 1 });
  const { events, issues, lostCount } = await imports.scan({ accept });
  expect(events.late).toBeNull();
  expect(issues.map(({ code, file }) => [code, file])).toEqual(
    paths.map((file) => ['older_than_seal', file]),
  );
  expect(lostCount).toBe(2);
  expect((await imports.scan()).issues).toEqual(issues);
});

it('keeps a witness of what was taken in as a whole, and of nothing else', async () => {
  for (const [said, kept] of [
    [{ accepted: 3 }, 1],
    [{ duplicates: 3 }, 1],
    [{ accepted: 2, expired: 1 }, 0],
    [{ accepted: 1, expired: 1, rejected: [{ code: 'c', field: '', message: 'm' }] as never }, 0],
    [{ accepted: 2, rejected: [{ code: 'c', field: '', message: 'm' }] as never }, 0],
  ] as const) {
    const progress = memoryProgress();
    await createImports(pi, sessions('a').directory, progress).scan({
      accept: async () => ack(said),
    });
    expect(progress.witnesses?.texts()).toHaveLength(kept);
  }
});

it('reads every file again into a restored log, unless it kept it open', async () => {
  const { directory } = sessions('a', 'b');
  const imports = createImports(pi, directory);
  const nothing = {
    accept: async (values: readonly unknown[]) => ack({ accepted: values.length }),
  };
  await imports.scan({ ...nothing, isSameLog: false });
  expect(await imports.scan({ ...nothing, isSameLog: true })).toMatchObject({
    wasPutBack: false,
    files: { unchanged: 2 },
  });
  expect(await imports.scan({ ...nothing, isSameLog: false })).toMatchObject({
    wasPutBack: true,
    files: { read: 2 },
    events: { new: 6 },
  });
});

it('repeats what was wrong with an unchanged file, and what still is', async () => {
  const { directory, paths } = sessions('a');
  const other = writeLines(join(directory, 'other.jsonl'), ['1']);
  const imports = createImports(pi, directory);
  const first = await imports.scan();
  expect(first).toMatchObject({ issueCount: 1, files: { failed: 1 } });
  expect(await imports.scan()).toMatchObject({
    issueCount: 1,
    issues: first.issues,
    files: { failed: 1, unchanged: 1, read: 0 },
  });
  rmSync(other);
  expect(await imports.scan()).toMatchObject({
    issueCount: 0,
    files: { found: paths.length, failed: 0, unchanged: 1 },
  });
});

it('counts the files of each host by themselves', async () => {
  const [{ directory }, other] = [sessions('a'), sessions('b', 'c')];
  const roots = [
    { importer: pi, directory, isNamed: true },
    { importer: omp, directory: other.directory, isNamed: true },
  ];
  changed(other.paths[0] ?? '', nowMs - 30_000);
  const options = { roots, now: () => nowMs, quietMs: 60_000 };
  expect(await createImports(pi, directory).scan(options)).toMatchObject({
    hosts: { pi: { found: 1, toRead: 1 }, omp: { found: 2, toRead: 1 } },
  });
});

it('asks nothing about a restored log where no witnesses are kept, as in a dry run', async () => {
  const { directory } = sessions('a');
  const progress = { ...memoryProgress(), witnesses: null, openScanNotes: null };
  expect(await createImports(pi, directory, progress).scan({ isSameLog: false })).toMatchObject({
    wasPutBack: false,
    files: { read: 1 },
  });
});
