/** The content of the packages: all they need, nothing of the checkout, and small. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, inject, it } from 'vitest';
import { repositoryRoot } from '../hosts/support/ledger/ledger.ts';
import { checksums } from './support/release.ts';

const tarballs = inject('tarballs');

/**
 * So that growth is noticed; what is installed may take 60 MB. A third of the collector's is gRPC
 * and OpenTelemetry.
 */
describe.each([
  ['collector', tarballs.collector, ['bin', 'dist'], { packed: 1_450_000, unpacked: 4_900_000 }],
  [
    'extension',
    tarballs.extension,
    ['dist', 'load.cjs', 'skills'],
    { packed: 100_000, unpacked: 300_000 },
  ],
] as const)('the package of the %s', (_, tarball, parts, bytesMax) => {
  const { manifest } = tarball;
  const read = (path: string) => readFileSync(join(tarball.unpacked, path), 'utf8');
  const code = tarball.files
    .filter((path) => /\.[cm]?js$/.test(path))
    .map((path) => [path, read(path)] as const);

  it('holds its bundle, a README, its license, those of what is bundled, and no source', () => {
    const always = ['LICENSE', 'README.md', 'package.json', 'dist/LICENSES.txt'];
    expect(tarball.files).toEqual(expect.arrayContaining(always));
    const others = tarball.files.filter((path) => !always.includes(path));
    expect(new Set(others.map((path) => path.split('/')[0]))).toEqual(new Set(parts));
    expect(others.filter((path) => !isBuilt(path))).toEqual([]);
  });

  it('has every file that its manifest names', () => {
    const { bin, pi, omp } = manifest as {
      bin?: object;
      pi?: { extensions: string[] };
      omp?: { extensions: string[] };
    };
    const named = [
      ...Object.values(bin ?? {}),
      ...(pi?.extensions ?? []),
      ...(omp?.extensions ?? []),
    ];
    expect(named.length).toBeGreaterThan(0);
    expect(tarball.files).toEqual(
      expect.arrayContaining(named.map((path: string) => path.replace(/^\.\//, ''))),
    );
  });

  it('depends on no package, and runs nothing when it is installed', () => {
    const {
      dependencies = {},
      peerDependencies = {},
      optionalDependencies = {},
      scripts = {},
    } = manifest as Record<string, object>;
    expect({ ...dependencies, ...peerDependencies, ...optionalDependencies }).toEqual({});
    expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  });

  it('loads nothing but itself and what Node brings', () => {
    for (const [path, text] of code) {
      const foreign = namesLoadedBy(text).filter(
        (name) => !/^\.{1,2}\//.test(name) && !isBuiltin(name),
      );
      expect({ path, foreign }).toEqual({ path, foreign: [] });
    }
  });

  it('says nothing of the machine that made it', () => {
    for (const [path, text] of code)
      expect({ path, found: text.includes(repositoryRoot) }).toEqual({ path, found: false });
  });

  it('names the licenses of others that are in it', () => {
    const licenses = read('dist/LICENSES.txt');
    expect(licenses).toContain('@secretlint/secretlint-rule-preset-recommend');
    expect(licenses).toMatch(/Permission is hereby granted/);
  });

  it('is small', () => {
    expect(tarball.packedBytes).toBeLessThan(bytesMax.packed);
    expect(tarball.unpackedBytes).toBeLessThan(bytesMax.unpacked);
  });
});

it('checksums of a release are what sha256sum compares', () => {
  const { path } = tarballs.collector;
  const check = (sums: string) =>
    spawnSync('sha256sum', ['--check', '--quiet'], { cwd: dirname(path), input: sums }).status;
  const sums = checksums([path, tarballs.extension.path]);
  expect(sums.match(/^[\da-f]{64} {2}pi-ledger-(collector|extension)-.+\.tgz$/gm)).toHaveLength(2);
  expect([check(sums), check(sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))]).toEqual([
    0, 1,
  ]);
});

/** A bundle, a skill, or a file of the page. */
function isBuilt(path: string): boolean {
  const page = /^dist\/web\/(index\.html|assets\/([\w-]+\.(js|css)|LICENSES\.txt))$/;
  return /\.[cm]js$|\/SKILL\.md$/.test(path) || page.test(path);
}

/** Names that the code imports or requires; text that looks like code does not count. */
function namesLoadedBy(text: string): readonly string[] {
  const names: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, source, callee, arguments: given } = value as SyntaxNode;
    if (/^(Import|Export)/.test(type ?? '') && typeof source?.value === 'string')
      names.push(source.value);
    if (
      type === 'CallExpression' &&
      callee?.name === 'require' &&
      typeof given?.[0]?.value === 'string'
    )
      names.push(given[0].value);
    for (const part of Object.values(value)) visit(part);
  };
  visit(parseAst(text));
  return names;
}

interface SyntaxNode {
  readonly type?: string;
  readonly source?: { readonly value?: unknown };
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly { readonly value?: unknown }[];
}
