/** Sources of several files. */
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createIssues } from '../../../collector/importers/issues.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
import { lookAtSource, stampSource } from '../../../collector/importers/sources.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory();

function store() {
  const path = mkdtempSync(join(root, 'store-'));
  const files = ['a', 'b'].map((name) => join(path, name));
  for (const [index, file] of files.entries()) {
    writeFileSync(file, 'x'.repeat(index + 1));
    utimesSync(file, 100, 100 * (index + 1));
  }
  const issues = createIssues();
  return { path, files, issues, look: () => lookAtSource(pi, path, files, issues) };
}

it('are as large as all of their files, and as new as the newest', () => {
  const { path, files, issues, look } = store();
  expect(look()).toMatchObject({ path, files, importer: pi, bytes: 3, changedMs: 200_000 });
  expect(issues.count).toBe(0);
});

it('have another stamp as soon as one of their files has changed', () => {
  const { path, files, look } = store();
  const before = look()?.stamp;
  expect(look()?.stamp).toBe(before);
  expect(stampSource({ path, files })).toBe(before);
  for (const file of files) {
    const stamp = look()?.stamp;
    writeFileSync(file, 'longer than before');
    expect(look()?.stamp).not.toBe(stamp);
  }
});

it('are stamped like a file where they are one', () => {
  const { files } = store();
  const [path = ''] = files;
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  expect(stampSource({ path })).toBe([dev, ino, size, mtimeNs, ctimeNs].join(':'));
});

it('are an issue, which may lose spend, where a file is gone', () => {
  const { path, files, issues, look } = store();
  rmSync(files[1] ?? '');
  expect(look()).toBe(null);
  expect(stampSource({ path, files })).toBe(null);
  expect(issues.list).toEqual([
    {
      code: 'file_unreadable',
      file: path,
      line: null,
      message: 'a file of it cannot be looked at (ENOENT)',
      mayHoldSpend: true,
    },
  ]);
});
