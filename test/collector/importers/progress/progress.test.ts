/** How far files were read is remembered for each store; forgetting it costs only time. */
import {
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { omp } from '../../../../collector/importers/omp/importer.ts';
import { pi } from '../../../../collector/importers/pi/importer.ts';
import { openProgress } from '../../../../collector/importers/progress/progress.ts';
import type { ReaderSettings } from '../../../../collector/importers/reader-setup.ts';
import { createInlineRunner, type Runner } from '../../../../collector/importers/threads/runner.ts';
import { answer, append, newSession, userSays } from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { linesOfSession, writeLines, writeSession } from '../support/files.ts';
import { createImports } from '../support/imports.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const fresh = () => mkdtempSync(join(root, 'p-'));

function story(answers = 3) {
  const session = newSession('s', startMs);
  append(session, 'u', startMs + 1, userSays());
  for (let index = 0; index < answers; index += 1)
    append(session, `a${index}`, startMs + 2 + index, answer(`r${index}`));
  return session;
}

const titled = (title: string) =>
  JSON.stringify({ type: 'title', v: 1, title, pad: '' })
    .replace('"pad":""', (pad) => pad.replace('""', `"${' '.repeat(200)}"`))
    .slice(0, 255);

describe('the progress of imports', () => {
  it('survives, readable by its owner alone', async () => {
    const directory = fresh();
    const path = join(fresh(), 'home', 'imports.db');
    writeSession(directory, story());
    const first = openProgress({ path, storeId: 'one' });
    await createImports(pi, directory, first).scan();
    first.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const second = openProgress({ path, storeId: 'one' });
    expect(await createImports(pi, directory, second).scan()).toMatchObject({
      files: { unchanged: 1, read: 0 },
    });
    second.close();
  });

  it('is of one store: another one is filled from the start', async () => {
    const directory = fresh();
    const path = join(fresh(), 'imports.db');
    writeSession(directory, story());
    for (const storeId of ['one', 'two']) {
      const progress = openProgress({ path, storeId });
      expect(await createImports(pi, directory, progress).scan()).toMatchObject({
        files: { read: 1 },
      });
      progress.close();
    }
  });

  it('that is damaged is begun anew', async () => {
    const directory = fresh();
    const path = join(fresh(), 'imports.db');
    writeSession(directory, story());
    writeFileSync(path, 'this is no database at all, it only stands where one should be');
    const progress = openProgress({ path, storeId: 'one' });
    expect(await createImports(pi, directory, progress).scan()).toMatchObject({
      files: { read: 1 },
    });
    progress.close();
  });

  it('that is damaged tells a dry run nothing', () => {
    const path = join(fresh(), 'imports.db');
    writeFileSync(path, 'this is no database at all, it only stands where one should be');
    const progress = openProgress({ path, storeId: 'one', readOnly: true });
    expect(progress.files().size).toBe(0);
    progress.close();
    expect(readFileSync(path, 'utf8')).toContain('no database');
  });

  it('is looked at and left as it is in a dry run', async () => {
    const directory = fresh();
    const path = join(fresh(), 'imports.db');
    writeSession(directory, story());
    const none = openProgress({ path, storeId: 'one', readOnly: true });
    await createImports(pi, directory, none).scan();
    none.close();
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('knows a file that was touched, or whose title omp has rewritten', async () => {
    const directory = fresh();
    const lines = linesOfSession(story());
    const path = writeLines(join(directory, 's.jsonl'), [titled('one'), ...lines]);
    expect(readFileSync(path).indexOf('\n')).toBeLessThan(256);
    const imports = createImports(omp, directory);
    await imports.scan();
    utimesSync(path, 1, 1);
    expect(await imports.scan()).toMatchObject({
      files: { read: 1 },
      bytes: 0,
      events: { new: 0, known: 0 },
    });
    writeLines(path, [titled('two'), ...lines]);
    expect(await imports.scan()).toMatchObject({
      files: { read: 1 },
      bytes: 0,
      events: { new: 0, known: 0 },
    });
  });

  it('does not trust a length: a rewritten file of the same length is read', async () => {
    const directory = fresh();
    const path = writeSession(directory, story());
    const imports = createImports(pi, directory);
    await imports.scan();
    writeFileSync(path, readFileSync(path, 'utf8').replace('"r2"', '"r9"'));
    expect(await imports.scan()).toMatchObject({ events: { new: 1 } });
  });

  it('does not trust both ends: a long file replaced in the middle is read', async () => {
    const directory = fresh();
    const path = writeSession(directory, story(100));
    const imports = createImports(omp, directory);
    await imports.scan();
    writeFileSync(`${path}.new`, readFileSync(path, 'utf8').replace('"r50"', '"r9x"'));
    renameSync(`${path}.new`, path);
    expect(await imports.scan()).toMatchObject({ events: { new: 1 } });
  });

  it('proves nothing of a file that was rewritten while it was read', async () => {
    const directory = fresh();
    const path = writeSession(directory, story(100));
    const imports = createImports(omp, directory);
    const createRunner = (settings: ReaderSettings): Runner => {
      const runner = createInlineRunner(settings);
      const rewrite = () =>
        writeFileSync(path, readFileSync(path, 'utf8').replace('"r50"', '"r9x"'));
      return {
        ...runner,
        read: (job, take) => runner.read(job, (batch) => take(batch).then(rewrite)),
      };
    };
    await imports.scan({ createRunner });
    expect(await imports.scan()).toMatchObject({ events: { new: 1 } });
  });

  it('reads from the start when an entry hangs below one that was read long before', async () => {
    const directory = fresh();
    const session = story(40);
    const path = writeSession(directory, session);
    const imports = createImports(pi, directory);
    await imports.scan();
    session.leafId = 'a1';
    append(session, 'branch', startMs + 1_000, answer('rb'));
    writeSession(directory, session);
    expect(await imports.scan()).toMatchObject({ bytes: statSync(path).size, events: { new: 1 } });
    expect(
      imports.of('pi.turn.completed.v1').find(({ data }) => data.entryId === 'branch')?.data,
    ).toMatchObject({
      promptEntryId: 'u',
      turnIndex: 2,
    });
  });

  it('notes a file only when its events were taken in', async () => {
    const directory = fresh();
    writeSession(directory, story());
    const imports = createImports(pi, directory);
    const accept = () => Promise.reject(new Error('disk full'));
    await expect(imports.scan({ accept })).rejects.toThrow('disk full');
    expect(await imports.scan()).toMatchObject({ files: { read: 1, unchanged: 0 } });
  });
});
