/** The runner of a scan. */
import { mkdirSync, mkdtempSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi/importer.ts';
import type { ScanOptions } from '../../../collector/importers/scan.ts';
import { createInlineRunner, type Runner } from '../../../collector/importers/threads/runner.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeLines, writeSession } from './support/files.ts';
import { createImports } from './support/imports.ts';
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

type CreateRunner = NonNullable<ScanOptions['createRunner']>;

/** A real runner that records what it was made for and when it was closed. */
function watched() {
  const told: {
    settings?: Parameters<CreateRunner>[0];
    work?: Parameters<CreateRunner>[1];
    closed: number;
    made: number;
  } = {
    closed: 0,
    made: 0,
  };
  const createRunner: CreateRunner = (settings, work): Runner => {
    Object.assign(told, { settings, work, made: told.made + 1 });
    const runner = createInlineRunner(settings);
    return {
      ...runner,
      close: async () => {
        told.closed += 1;
        await runner.close();
      },
    };
  };
  return { told, createRunner };
}

it('makes a runner for the work, knows where sessions are, and closes it', async () => {
  const { directory, paths } = sessions('a', 'b');
  const [first = '', second = ''] = paths;
  mkdirSync(join(directory, 'copies'));
  writeSession(join(directory, 'copies'), story('a'));
  writeLines(join(directory, 'nameless.jsonl'), ['{}']);
  const { told, createRunner } = watched();
  const imports = createImports(pi, directory);
  await imports.scan({ createRunner, now: () => nowMs, quietMs: 60_000, isBackground: true });
  expect(told).toMatchObject({
    made: 1,
    closed: 1,
    work: { files: 2, bytes: statSync(first).size + statSync(second).size, isBackground: true },
    settings: {
      homeDirectory: '/home/ada',
      auditContent: false,
      version: '0.1.0',
      latestTime: '2026-11-22T09:00:00.000Z',
    },
  });
  expect([...(told.settings?.files ?? [])]).toEqual([
    ['a', first],
    ['b', second],
  ]);
  await imports.scan({ createRunner, now: () => nowMs, quietMs: 60_000 });
  expect(told.made).toBe(1);
  await createImports(pi, directory).scan({ createRunner });
  expect(told).toMatchObject({ made: 2, closed: 2, work: { files: 4, isBackground: false } });
});

it('closes its runner when it is told to stop, or fails, and listens no longer', async () => {
  const { directory } = sessions('a', 'b');
  const { told, createRunner } = watched();
  const stopping = new AbortController();
  const accept = async (values: readonly unknown[]) => {
    stopping.abort();
    expect(told.closed).toBe(1);
    return ack({ accepted: values.length });
  };
  await expect(
    createImports(pi, directory).scan({ createRunner, accept, signal: stopping.signal }),
  ).rejects.toThrow('stopped');
  const failing = watched();
  const later = new AbortController();
  const options = { createRunner: failing.createRunner, signal: later.signal };
  await expect(
    createImports(pi, directory).scan({
      ...options,
      accept: () => Promise.reject(new Error('disk full')),
    }),
  ).rejects.toThrow('disk full');
  expect(failing.told.closed).toBe(1);
  later.abort();
  expect(failing.told.closed).toBe(1);
});
