/** What `imports.db` keeps about files, and what happens when it cannot. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { noIssues } from '../../../../collector/importers/issues.ts';
import { parseIssues } from '../../../../collector/importers/progress/file-rows.ts';
import { openProgress } from '../../../../collector/importers/progress/progress.ts';
import type { FileClaim } from '../../../../collector/importers/proofs.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { claim, file, full, issues } from '../support/kept.ts';

const root = temporaryDirectory();
const fresh = () => join(mkdtempSync(join(root, 'p-')), 'home', 'imports.db');
describe('what is kept of a file', () => {
  it('is all that was noted, by store, over an end and a new beginning', () => {
    const path = fresh();
    const first = openProgress({ path, storeId: 'one' });
    first.save([full, file('/bare')], []);
    expect(first.of('/full')).toEqual(full);
    first.close();
    const again = openProgress({ path, storeId: 'one' });
    expect([again.of('/full'), again.of('/bare'), again.of('/other')]).toEqual([
      full,
      file('/bare'),
      null,
    ]);
    expect([...again.files()].toReversed()).toEqual([
      ['/full', { stamp: 'stamp', isFailed: true, issues: JSON.stringify(issues), againAtMs: 123 }],
      ['/bare', { stamp: 's', isFailed: false, issues: null, againAtMs: null }],
    ]);
    again.close();
    const other = openProgress({ path, storeId: 'two' });
    expect([other.of('/full'), other.files().size]).toEqual([null, 0]);
    other.close();
  });

  it('is what was noted last; to whom it was told adds up', () => {
    const progress = openProgress({ path: ':memory:', storeId: 'one' });
    progress.save([full], []);
    progress.save(
      [
        file('/full', {
          alsoClaimedBy: [{ firstAnswer: null, parent: { sessionId: 'z', key: 'turn:z' } }],
        }),
      ],
      [],
    );
    expect(progress.of('/full')).toMatchObject({
      bookmark: null,
      isFailed: false,
      claimedBy: null,
      issues: noIssues,
      againAtMs: null,
    });
    expect(
      progress
        .of('/full')
        ?.alsoClaimedBy.map(({ parent }) => parent.sessionId)
        .sort(),
    ).toEqual(['x', 'y', 'z']);
  });

  it('is all of what is saved together, or nothing', () => {
    const progress = openProgress({ path: ':memory:', storeId: 'one' });
    const broken = { ...claim('k', 's'), time: undefined } as never as FileClaim;
    expect(() => progress.save([file('/a')], [broken])).toThrow();
    expect(progress.of('/a')).toBeNull();
    progress.save([file('/a')], []);
    expect(progress.of('/a')).toEqual(file('/a'));
  });

  it('has its issues as they were; none is none', () => {
    expect(parseIssues(null)).toEqual(noIssues);
    expect(parseIssues(JSON.stringify(issues))).toEqual(issues);
  });
});

describe('the file', () => {
  const versionOf = (path: string) => {
    const database = new DatabaseSync(path);
    const version = database.prepare('PRAGMA user_version').get()?.user_version;
    database.close();
    return version;
  };

  const withFiles = (path: string) => {
    const progress = openProgress({ path, storeId: 'one' });
    progress.save([full], [claim('k', 's')]);
    progress.close();
  };

  const setVersion = (path: string, version: number) => {
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
  };

  it('and its directory are its owner’s alone', () => {
    const path = fresh();
    withFiles(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    chmodSync(path, 0o644);
    openProgress({ path, storeId: 'one' }).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('of another version is begun anew, and tells a dry run nothing', () => {
    const path = fresh();
    withFiles(path);
    const current = versionOf(path);
    setVersion(path, 2);
    const dry = openProgress({ path, storeId: 'one', readOnly: true });
    expect(dry.files().size).toBe(0);
    dry.close();
    expect(versionOf(path)).toBe(2);
    const progress = openProgress({ path, storeId: 'one' });
    expect([progress.files().size, progress.of('/full')]).toEqual([0, null]);
    progress.save([file('/full')], []);
    expect(progress.of('/full')?.alsoClaimedBy).toEqual([]);
    progress.close();
    expect(versionOf(path)).toBe(current);
  });

  it('tells a dry run what is kept, which changes nothing of it', () => {
    const path = fresh();
    withFiles(path);
    const dry = openProgress({ path, storeId: 'one', readOnly: true });
    expect(dry.of('/full')).toEqual(full);
    expect(dry.witnesses).toBeNull();
    dry.save([file('/other')], []);
    expect([...dry.files().keys()]).toEqual(['/full']);
    dry.close();
  });

  it('stays as it is in a dry run, though its last changes stand beside it', () => {
    const [path, copy] = [fresh(), fresh()];
    const progress = openProgress({ path, storeId: 'one' });
    progress.save([full], []);
    mkdirSync(join(copy, '..'));
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
    progress.close();
    const before = ['', '-wal'].map((suffix) => readFileSync(copy + suffix));
    const dry = openProgress({ path: copy, storeId: 'one', readOnly: true });
    expect(dry.of('/full')).toEqual(full);
    dry.close();
    expect(['', '-wal'].map((suffix) => readFileSync(copy + suffix))).toEqual(before);
  });

  it('that is damaged is begun anew, with what stood beside it', () => {
    const path = fresh();
    withFiles(path);
    for (const suffix of ['', '-wal', '-shm'])
      writeFileSync(path + suffix, 'no database, though one should stand here');
    const progress = openProgress({ path, storeId: 'one' });
    expect(progress.files().size).toBe(0);
    progress.save([full], []);
    expect(progress.of('/full')).toEqual(full);
    progress.close();
    expect(readFileSync(path, 'latin1')).toMatch(/^SQLite format 3/);
  });

  it('that cannot be read, though it is not damaged, is an error in a dry run', () => {
    const path = fresh();
    withFiles(path);
    mkdirSync(`${path}-wal`);
    expect(() => openProgress({ path, storeId: 'one', readOnly: true })).toThrow(
      expect.objectContaining({ code: 'ERR_SQLITE_ERROR' }),
    );
  });

  it('is let go of once it is closed', () => {
    const progress = openProgress({ path: fresh(), storeId: 'one' });
    progress.close();
    expect(() => progress.files()).toThrow();
  });

  it('that is no file at all is an error, also in a dry run, and stays as it is', () => {
    const path = root;
    const notOpened = expect.objectContaining({ code: 'ERR_SQLITE_ERROR' });
    for (const readOnly of [false, true])
      expect(() => openProgress({ path, storeId: 'one', readOnly })).toThrow(notOpened);
  });
});
