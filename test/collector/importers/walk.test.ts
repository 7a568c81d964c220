/** Which files are found below a directory, and what is reported about unreadable ones. */
import fs, {
  mkdirSync,
  mkdtempSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { discover } from '../../../collector/importers/discover.ts';
import { createIssues } from '../../../collector/importers/issues.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory();
const fresh = () => mkdtempSync(join(root, 'w-'));

function write(directory: string, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(directory, name, '..'), { recursive: true });
    writeFileSync(join(directory, name), 'text');
  }
}

async function found(directories: readonly string[], isNamed = true) {
  const issues = createIssues();
  const files = await discover(
    directories.map((directory) => ({ importer: pi, directory, isNamed })),
    issues,
  );
  return { files, paths: files.map(({ path }) => path), issues: issues.list };
}

it('finds session files in order of their paths, root by root, with stamps', async () => {
  const [first, second] = [fresh(), fresh()];
  write(first, 'b.jsonl', 'a/z.jsonl', 'a/b/c.jsonl', 'notes.txt', 'a.jsonl');
  write(second, 'x.jsonl');
  utimesSync(join(second, 'x.jsonl'), 100, 200);
  const { paths, files, issues } = await found([first, second]);
  expect(paths).toEqual(
    ['a/b/c.jsonl', 'a/z.jsonl', 'a.jsonl', 'b.jsonl']
      .map((name) => join(first, name))
      .concat(join(second, 'x.jsonl')),
  );
  expect(files.at(-1)).toMatchObject({ importer: pi, bytes: 4, changedMs: 200_000 });
  expect(issues).toEqual([]);
});

it('recognizes a changed file by its stamp: length, times and inode', async () => {
  const directory = fresh();
  const stamp = async () => (await found([directory])).files.map((file) => file.stamp);
  write(directory, 'a.jsonl');
  const before = await stamp();
  expect(await stamp()).toEqual(before);
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(join(directory, 'a.jsonl'), {
    bigint: true,
  });
  expect(before).toEqual([[dev, ino, size, mtimeNs, ctimeNs].join(':')]);
});

it('follows links last, and visits what they lead to once, where it really stands', async () => {
  const [directory, elsewhere] = [fresh(), fresh()];
  write(directory, 'b.jsonl', 'd/c.jsonl');
  write(elsewhere, 'deep/e.jsonl', 'f.jsonl', 'g.txt');
  symlinkSync(join(directory, 'b.jsonl'), join(directory, '0-file.jsonl'));
  symlinkSync(join(directory, 'd'), join(directory, '0-directory'));
  symlinkSync(join(elsewhere, 'deep'), join(directory, '1-directory'));
  symlinkSync(join(elsewhere, 'f.jsonl'), join(directory, '2-file.jsonl'));
  symlinkSync(join(elsewhere, 'g.txt'), join(directory, '3-file.txt'));
  symlinkSync(elsewhere, join(elsewhere, 'deep', 'up'));
  symlinkSync('/dev/null', join(directory, '4.jsonl'));
  symlinkSync(join(elsewhere, 'gone.jsonl'), join(directory, '5.jsonl'));
  const { paths, issues } = await found([directory]);
  expect(paths).toEqual(
    ['b.jsonl', 'd/c.jsonl', '1-directory/e.jsonl', '2-file.jsonl'].map((name) =>
      join(directory, name),
    ),
  );
  expect(issues).toEqual([]);
});

it('says of a link to itself that it cannot be looked at, which loses no spend', async () => {
  const directory = fresh();
  const loop = join(directory, 'loop.jsonl');
  symlinkSync(loop, loop);
  expect((await found([directory])).issues).toEqual([
    {
      code: 'file_unreadable',
      file: loop,
      line: null,
      message: 'its status cannot be read (ELOOP)',
      mayHoldSpend: false,
    },
  ]);
});

it('reports a name that no file system accepts, which may lose spend', async () => {
  const directory = join(root, 'x'.repeat(300));
  expect((await found([directory], false)).issues).toEqual([
    {
      code: 'file_unreadable',
      file: directory,
      line: null,
      message: 'its status cannot be read (ENAMETOOLONG)',
      mayHoldSpend: true,
    },
  ]);
});

it('looks sixteen directories down, and names those that lie deeper', async () => {
  const directory = fresh();
  const deep = (levels: number) =>
    join(...Array.from({ length: levels }, (_, index) => String(index)));
  write(directory, join(deep(16), 'a.jsonl'), join(deep(17), 'b.jsonl'));
  const { paths, issues } = await found([directory]);
  expect(paths).toEqual([join(directory, deep(16), 'a.jsonl')]);
  expect(issues).toEqual([
    {
      code: 'directory_unreadable',
      file: join(directory, deep(17)),
      line: null,
      message: `it is left out: more than 16 levels below ${directory}`,
      mayHoldSpend: true,
    },
  ]);
});

it('says of a directory that was named, and of one that is a file, that it is none', async () => {
  const directory = fresh();
  write(directory, 'a.jsonl');
  const [gone, file] = [join(directory, 'gone'), join(directory, 'a.jsonl')];
  const issue = (path: string, message: string) => ({
    code: 'directory_unreadable',
    file: path,
    line: null,
    message,
    mayHoldSpend: true,
  });
  expect((await found([gone])).issues).toEqual([
    issue(gone, 'expected a directory, found none that is readable'),
  ]);
  expect((await found([gone], false)).issues).toEqual([]);
  for (const isNamed of [true, false])
    expect(await found([file], isNamed)).toMatchObject({
      files: [],
      issues: [issue(file, 'expected a directory, found something else')],
    });
});

it('names a directory that it cannot read, which may lose spend, and reads others', async () => {
  const directory = fresh();
  write(directory, 'a/a.jsonl', 'b/b.jsonl');
  const { readdirSync } = fs;
  // Permissions do not stop root.
  const spy = vi.spyOn(fs, 'readdirSync').mockImplementation(((path: string, options: never) => {
    if (path === join(directory, 'a')) throw Object.assign(new Error('no'), { code: 'EACCES' });
    return readdirSync(path, options);
  }) as never);
  syncBuiltinESMExports();
  try {
    const { paths, issues } = await found([directory]);
    expect(paths).toEqual([join(directory, 'b/b.jsonl')]);
    expect(issues).toEqual([
      {
        code: 'directory_unreadable',
        file: join(directory, 'a'),
        line: null,
        message: 'the directory cannot be read (EACCES)',
        mayHoldSpend: true,
      },
    ]);
  } finally {
    spy.mockRestore();
    syncBuiltinESMExports();
  }
});

it('sorts names whatever the order in which the file system lists them', async () => {
  const directory = fresh();
  const names = ['\u{1f600}.jsonl', '\uff01.jsonl'];
  write(directory, ...names);
  expect((await found([directory])).paths).toEqual(names.map((name) => join(directory, name)));
});
