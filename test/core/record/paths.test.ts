import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectPath, projectPaths } from '../../../core/record/paths.ts';

describe('projectPath', () => {
  it.each([
    ['/srv/shop', 'src/a.ts', 'src/a.ts'],
    ['/srv/shop', './src/../a.ts', 'a.ts'],
    ['/srv/shop', '/srv/shop/src/a.ts', 'src/a.ts'],
    ['/srv/shop', '/srv/shop', '.'],
    ['/srv/shop', '.', '.'],
    ['/srv/shop', '@a.ts', 'a.ts'],
    ['/srv/shop', '..data/a.ts', '..data/a.ts'],
    ['/', '/etc/hosts', 'etc/hosts'],
    ['C:\\work\\shop', 'src\\a.ts', 'src/a.ts'],
    ['C:\\work\\shop', 'C:\\work\\shop\\src\\a.ts', 'src/a.ts'],
    ['C:/srv/shop', 'C:\\srv\\shop\\a.ts', 'a.ts'],
    ['\\\\server\\share\\shop', '\\\\server\\share\\shop\\a.ts', 'a.ts'],
    ['/srv/c:/shop', 'x\\y.ts', 'x\\y.ts'],
    ['/srv/a\\\\b', 'x\\y.ts', 'x\\y.ts'],
    ['/srv/shop', 'node_modules/@types/a.d.ts', 'node_modules/@types/a.d.ts'],
    ['/srv/shop', 'a~', 'a~'],
    [null, 'src/a.ts', 'src/a.ts'],
    [null, '../a.ts', 'a.ts'],
  ])('below %s %s is %s', (cwd, path, expected) => {
    expect(projectPath(cwd, path)).toBe(expected);
  });

  it.each([
    ['/srv/shop', '/etc/hosts', 'hosts'],
    ['/srv/shop', '../other/a.ts', 'a.ts'],
    ['/srv/shop', '/srv/shopping/a.ts', 'a.ts'],
    ['/srv/shop', '..', 'srv'],
    ['/srv/shop', '~/.ssh/config', 'config'],
    ['C:\\work\\shop', '~\\.ssh\\config', 'config'],
    ['C:\\work\\shop', 'D:\\a.ts', 'a.ts'],
    ['C:\\work\\shop', '..\\a.ts', 'a.ts'],
    ['/srv/shop', `/etc/${'x'.repeat(300)}`, 'x'.repeat(255)],
    [null, '/etc/hosts', 'hosts'],
    [null, 'C:\\Users\\ada\\a.ts', 'a.ts'],
    ['', '/etc/hosts', 'hosts'],
    ['shop', '/etc/hosts', 'hosts'],
    ['shop', 'D:\\a.ts', 'a.ts'],
  ])('outside %s %s keeps its base name alone', (cwd, path, name) => {
    expect(projectPath(cwd, path)).toMatch(
      new RegExp(`^<outside>/[0-9a-f]{8}/${name.replace('.', '\\.')}$`),
    );
  });

  it('recognises the same file outside, however it is named', () => {
    expect(projectPath('/srv/shop', '/etc/hosts')).toBe(
      projectPath('/srv/shop', '../../etc/hosts'),
    );
    expect(projectPath('/srv/shop', '/etc/hosts')).not.toBe(
      projectPath('/srv/shop', '/etc/other/hosts'),
    );
    expect(projectPath(null, '\\\\hosts')).toBe(projectPath('C:\\srv', '\\\\hosts'));
  });

  it.each([
    'notes.txt:10',
    'notes.txt:10-20',
    'notes.txt:-60',
    'notes.txt:raw',
    'notes.txt:1-50:raw',
    'notes.txt:1-3,7-9',
  ])('takes %s for the file that omp reads by it', (path) => {
    expect(projectPath('/srv/shop', path)).toBe('notes.txt');
  });

  it.each([
    '',
    '@',
    'https://ada:secret@example.org/a?token=1',
    'memory://notes',
    'x'.repeat(4_097),
    `/${'x'.repeat(4_096)}`,
  ])('names no file: %s', (path) => {
    expect(projectPath('/srv/shop', path)).toBeNull();
  });

  it('names a file by as many as 4,096 characters', () => {
    expect(projectPath('/srv/shop', 'x'.repeat(4_096))).toBe('x'.repeat(4_096));
    expect(projectPath('/srv/shop', `./${'x'.repeat(4_094)}`)).toBe('x'.repeat(4_094));
  });

  it.each(['/srv/shop', 'C:\\srv\\shop'])(
    'says the same of a plain path below %s as of the same path spelled out',
    (cwd) => {
      const name = fc.stringMatching(/^[\w.-]{1,12}$/);
      fc.assert(
        fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
          const path = names.join('/');
          expect(projectPath(cwd, path)).toBe(projectPath(cwd, `${cwd}/${path}`));
        }),
      );
    },
  );

  it('never reveals a location on the machine', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('/srv/shop', 'C:\\srv\\shop', 'shop', '', null),
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.string(),
        (cwd, front, back) => {
          for (const path of [
            front + back,
            `/home/ada/${front}/${back}`,
            `../${front}/${back}`,
            `C:\\Users\\ada\\${back}`,
          ]) {
            const projected = projectPath(cwd, path) ?? '';
            expect(projected.startsWith('/')).toBe(false);
            expect(projected.split('/')).not.toContain('..');
            if (!cwd?.startsWith('C:') && path.startsWith('/home/'))
              expect(projected).not.toContain('home/ada');
          }
        },
      ),
    );
  });
});

describe('projectPaths', () => {
  it('names each file once, in order', () => {
    expect(projectPaths('/srv', ['b', 'a', './b', '/srv/a', 'http://x/y', 'c'])).toEqual([
      'b',
      'a',
      'c',
    ]);
  });

  it.each([
    [[], []],
    [['./b'], ['b']],
    [['http://x/y'], []],
  ])('of %j names %j', (paths, expected) => {
    expect(projectPaths('/srv', paths)).toEqual(expected);
  });

  it('keeps an event small', () => {
    expect(
      projectPaths(
        '/srv',
        Array.from({ length: 5_000 }, (_, index) => `f${index}`),
      ),
    ).toHaveLength(1_000);
    const long = (index: number) => String(index).padStart(1_024, 'x');
    const many = Array.from({ length: 65 }, (_, index) => [long(0), long(index)]).flat();
    expect(projectPaths('/srv', many)).toEqual(
      Array.from({ length: 64 }, (_, index) => long(index)),
    );
  });
});
