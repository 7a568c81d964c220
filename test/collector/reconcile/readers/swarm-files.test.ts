/** Sessions that omp's swarms keep in their projects, which other sessions name. */
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { swarmFiles } from '../../../../collector/reconcile/readers/omp/swarm-files.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { header, writeFile } from '../support/two-sides.ts';

const directory = temporaryDirectory();
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(directory, 'home-'));
});

const write = (name: string, cwd?: unknown) => writeFile(home, name, [{ ...header('s', 0), cwd }]);
const found = (...directories: readonly string[]) =>
  swarmFiles(
    (directories.length === 0 ? ['sessions'] : directories).map((name) => join(home, name)),
  ).map((path) => relative(home, path));
const project = (name = 'shop') => join(home, name);

describe('a project', () => {
  beforeEach(() => {
    for (const name of ['shop', 'bank', 'farm']) write(`${name}/.swarm_x/context/s.jsonl`);
  });

  it('is one that a session in a folder of omp’s names', () => {
    write('sessions/-shop/a.jsonl', project('shop'));
    expect(found()).toEqual(['shop/.swarm_x/context/s.jsonl']);
  });

  it('is looked through once, whoever names it, and however', () => {
    write('sessions/-shop/a.jsonl', project('shop'));
    write('sessions/-again/a.jsonl', join(home, 'bank', '..', 'shop'));
    write('more/-bank/a.jsonl', project('bank'));
    expect(found('sessions', 'more', 'none')).toEqual([
      'bank/.swarm_x/context/s.jsonl',
      'shop/.swarm_x/context/s.jsonl',
    ]);
  });

  it('is one that the first or the last session of a folder names', () => {
    write('sessions/-all/a.jsonl', project('shop'));
    write('sessions/-all/b.JSONL', project('bank'));
    write('sessions/-all/c.jsonl', project('farm'));
    expect(found()).toEqual(['farm/.swarm_x/context/s.jsonl', 'shop/.swarm_x/context/s.jsonl']);
  });

  it.each<[where: string, name: string, cwd: unknown]>([
    ['no folder of a project', 'sessions/a.jsonl', 'shop'],
    ['a deeper folder', 'sessions/-shop/deep/a.jsonl', 'shop'],
    ['a hidden file', 'sessions/-shop/.a.jsonl', 'shop'],
    ['a file of another kind', 'sessions/-shop/a.txt', 'shop'],
  ])('is none that is named in %s', (_where, name, cwd) => {
    write(name, project(String(cwd)));
    expect(found()).toEqual([]);
  });

  it.each<[what: string, cwd: unknown]>([
    ['a path that begins elsewhere', 'shop'],
    ['nothing', undefined],
    ['what is no text', 5],
    ['a folder that is gone', '/nowhere/shop'],
  ])('is none where a session names %s', (_what, cwd) => {
    write('sessions/-shop/a.jsonl', cwd);
    expect(found()).toEqual([]);
  });

  it.each(['shop', 'c:/shop'])('is none that is named as seen from elsewhere: %s', (name) => {
    write(`${name}/.swarm_x/context/s.jsonl`);
    write('sessions/-shop/a.jsonl', relative(process.cwd(), project(name)));
    expect(found()).toEqual([]);
  });

  it('may have a folder of sessions that is a link, but no link to one session', () => {
    write('elsewhere/a.jsonl', project('shop'));
    mkdirSync(join(home, 'sessions', '-other'), { recursive: true });
    symlinkSync(join(home, 'elsewhere'), join(home, 'sessions', '-linked'));
    expect(found()).toEqual(['shop/.swarm_x/context/s.jsonl']);
  });

  it('is not read where a session is a folder or cannot be opened', () => {
    mkdirSync(join(home, 'sessions', '-shop', 'a.jsonl'), { recursive: true });
    symlinkSync(join(home, 'gone'), join(home, 'sessions', '-shop', 'b.jsonl'));
    expect(found()).toEqual([]);
  });
});

describe('a swarm', () => {
  beforeEach(() => {
    write('sessions/-shop/a.jsonl', project());
  });

  it('keeps its sessions in a folder of its own, and in folders below', () => {
    write('shop/.swarm_one/context/a.jsonl');
    write('shop/.swarm_one/context/b/c/d.jsonl');
    write('shop/.swarm_two/context/a.JSONL');
    expect(found().sort()).toEqual([
      'shop/.swarm_one/context/a.jsonl',
      'shop/.swarm_one/context/b/c/d.jsonl',
      'shop/.swarm_two/context/a.JSONL',
    ]);
  });

  it.each([
    'shop/swarm_one/context/a.jsonl',
    'shop/x.swarm_one/context/a.jsonl',
    'shop/.swarm_one/a.jsonl',
    'shop/.swarm_one/contexts/a.jsonl',
    'shop/deep/.swarm_one/context/a.jsonl',
    'shop/.swarm_one/context/.a.jsonl',
    'shop/.swarm_one/context/a.txt',
    'shop/.swarm_one/context/a.jsonl.bak',
  ])('keeps none at %s', (name) => {
    write(name);
    expect(found()).toEqual([]);
  });

  it('is not looked for behind links', () => {
    write('elsewhere/context/a.jsonl');
    const [swarm, files] = ['.swarm_linked', '.swarm_files'].map((name) => join(project(), name));
    mkdirSync(join(files ?? '', 'context'), { recursive: true });
    symlinkSync(join(home, 'elsewhere'), swarm ?? '');
    mkdirSync(join(project(), '.swarm_context'));
    symlinkSync(join(home, 'elsewhere/context'), join(project(), '.swarm_context/context'));
    symlinkSync(join(home, 'elsewhere', 'context'), join(files ?? '', 'context', 'more'));
    symlinkSync(join(home, 'elsewhere/context/a.jsonl'), join(files ?? '', 'context', 'b.jsonl'));
    expect(found()).toEqual([]);
  });

  it('is looked through sixteen folders deep', () => {
    const deep = (levels: number) => Array.from({ length: levels }, () => 'd').join('/');
    write(`shop/.swarm_one/context/${deep(16)}/a.jsonl`);
    write(`shop/.swarm_two/context/${deep(17)}/a.jsonl`);
    expect(found()).toEqual([`shop/.swarm_one/context/${deep(16)}/a.jsonl`]);
  });
});
