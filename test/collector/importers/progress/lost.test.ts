import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { readLost } from '../../../../collector/importers/progress/lost.ts';
import { openProgress } from '../../../../collector/importers/progress/progress.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { file, issues } from '../support/kept.ts';

const root = temporaryDirectory();

describe('what may hold spend and is in no total', () => {
  it('is counted by file and line, of files that are still there', () => {
    const path = join(mkdtempSync(join(root, 'p-')), 'imports.db');
    const [here, gone] = [join(root, 'here.jsonl'), join(root, 'gone.jsonl')];
    writeFileSync(here, '');
    const progress = openProgress({ path, storeId: 'one' });
    const harmless = { ...issues, lostCount: 0 };
    progress.save(
      [
        file(here, { issues }),
        file(gone, { issues }),
        file(path, { issues: harmless }),
        file(root),
      ],
      [],
    );
    progress.close();
    expect(readLost(path, 'one')).toEqual({ files: 1, count: 2 });
    expect(readLost(path, 'two')).toEqual({ files: 0, count: 0 });
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 2');
    database.close();
    expect(readLost(path, 'one')).toEqual({ files: 0, count: 0 });
  });

  it('is nothing where nothing was noted, or what was can be read no more', () => {
    expect(readLost(join(root, 'nowhere.db'), 'one')).toEqual({ files: 0, count: 0 });
    const damaged = join(root, 'damaged.db');
    writeFileSync(damaged, 'no database, though one should stand here');
    expect(readLost(damaged, 'one')).toEqual({ files: 0, count: 0 });
  });
});
