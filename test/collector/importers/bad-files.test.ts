/** Files and directories that cannot be read as sessions are listed, and stop nothing. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi/importer.ts';
import { createInlineRunner } from '../../../collector/importers/threads/runner.ts';
import { fresh, imported, story } from './support/bad-input.ts';
import { linesOfSession, writeLines, writeSession } from './support/files.ts';
import { createImports } from './support/imports.ts';

const [header = '', prompt = '', first = '', second = ''] = linesOfSession(story());

describe('a file', () => {
  const name = '2026-11-20T09-00-00-000Z_s1.jsonl';

  it('without a header is read by its name: session and time stand there', async () => {
    const { imports, turns, issues, path } = await imported([prompt, first], '\n', name);
    expect(turns).toEqual(['a1']);
    expect(issues).toEqual([{ code: 'no_header', file: path, line: 1 }]);
    expect(imports.of('pi.turn.completed.v1').map(({ subject }) => subject)).toEqual(['s1']);
    expect(imports.of('pi.session.started.v1')).toEqual([]);
  });

  it('without a header or a telling name is left out, and said so', async () => {
    const { result, turns, issues, path } = await imported([prompt, first]);
    expect({ turns, issues }).toEqual({
      turns: [],
      issues: [{ code: 'no_header', file: path, line: 1 }],
    });
    expect(result).toMatchObject({ files: { read: 0, failed: 1 } });
  });

  it('of another format version is read, and listed', async () => {
    const { turns, issues, path } = await imported([
      header.replace('"version":3', '"version":4'),
      prompt,
      first,
    ]);
    expect({ turns, issues }).toEqual({
      turns: ['a1'],
      issues: [{ code: 'version_unknown', file: path, line: 1 }],
    });
  });

  it('that is empty is none yet', async () => {
    expect((await imported([], '')).result).toMatchObject({
      files: { found: 1, failed: 0 },
      issueCount: 0,
    });
  });

  it('that is gone when its turn comes is listed, and stops nothing', async () => {
    const directory = fresh();
    const gone = writeSession(directory, story('s1'), 'a.jsonl');
    writeSession(directory, story('s2'), 'b.jsonl');
    const imports = createImports(pi, directory);
    const result = await imports.scan({
      createRunner(settings) {
        rmSync(gone);
        return createInlineRunner(settings);
      },
    });
    expect(result.issues).toMatchObject([{ code: 'file_gone', file: gone, line: null }]);
    expect(imports.of('pi.session.started.v1').map(({ subject }) => subject)).toEqual(['s2']);
    expect(await imports.scan()).toMatchObject({ files: { found: 1, failed: 0 }, issueCount: 0 });
  });

  it('over which reading itself breaks is listed, and stops nothing', async () => {
    const directory = fresh();
    const path = writeSession(directory, story('s1'), 'a.jsonl');
    writeSession(directory, story('s2'), 'b.jsonl');
    const imports = createImports(pi, directory);
    const result = await imports.scan({
      createRunner(settings) {
        const runner = createInlineRunner(settings);
        const broken = () => Promise.reject(new Error('broken'));
        return {
          ...runner,
          read: (job, take) => (job.path === path ? broken() : runner.read(job, take)),
        };
      },
    });
    expect(result).toMatchObject({
      files: { found: 2, read: 1, failed: 1 },
      issues: [{ code: 'file_unreadable', file: path }],
    });
    expect(await imports.scan()).toMatchObject({
      files: { unchanged: 1, failed: 1 },
      bytes: 0,
      issueCount: 1,
    });
  });

  it('is listed again while it stays as it is, without being read again', async () => {
    const { imports, result } = await imported([header, '{"hello":1}', first]);
    expect(await imports.scan()).toMatchObject({
      files: { unchanged: 1, read: 0 },
      bytes: 0,
      issues: result.issues,
    });
  });

  it('that grows keeps what was wrong with it', async () => {
    const { imports, path } = await imported([header, '{"hello":1}', first]);
    writeLines(path, [header, '{"hello":1}', first, second]);
    expect((await imports.scan()).issues).toMatchObject([{ code: 'not_an_entry', line: 2 }]);
  });
});

describe('a directory', () => {
  it('that is named and not there is listed', async () => {
    const directory = join(fresh(), 'nowhere');
    expect((await createImports(pi, directory).scan()).issues).toMatchObject([
      { code: 'directory_unreadable', file: directory },
    ]);
  });

  it('that is a file is listed', async () => {
    const path = writeLines(join(fresh(), 'a.jsonl'), [header]);
    expect((await createImports(pi, path).scan()).issues).toMatchObject([
      { code: 'directory_unreadable', file: path },
    ]);
  });

  it('that is deep, or in a circle, ends', async () => {
    const directory = fresh();
    const deep = join(directory, ...Array.from({ length: 40 }, (_, index) => String(index)));
    mkdirSync(deep, { recursive: true });
    symlinkSync(directory, join(directory, '0', '1', 'up'));
    writeSession(join(directory, '0', '1'), story());
    const result = await createImports(pi, directory).scan();
    expect(result).toMatchObject({
      files: { found: 1, read: 1 },
      issues: [{ code: 'directory_unreadable', line: null }],
    });
    expect(result.issues[0]?.file).toMatch(/\/15\/16$/);
  });

  it('that holds links to themselves is read, and they are listed', async () => {
    const directory = fresh();
    const loop = join(directory, 'loop.jsonl');
    symlinkSync(loop, loop);
    symlinkSync(join(directory, 'round'), join(directory, 'round'));
    writeSession(directory, story());
    const result = await createImports(pi, directory).scan();
    expect(result).toMatchObject({ files: { found: 1, read: 1 }, issueCount: 2 });
    expect(result.issues[0]).toMatchObject({
      code: 'file_unreadable',
      file: loop,
      message: expect.stringContaining('ELOOP'),
    });
  });
});
