/**
 * The lock files have a hash for every package, and name no registry: that is the installer's
 * choice.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: true;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = execFileSync('git', ['ls-files', '*package-lock.json'], {
  cwd: root,
  encoding: 'utf8',
}).match(/.+/g);
const locks = (files ?? []).map((file) => {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Locked>> };
  const fetched = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  );
  return { file, text, fetched };
});

it('there is one for the checkout, one for packages of pi, one for each group of tools', () => {
  expect(locks).toHaveLength(6);
  expect(locks.flatMap(({ fetched }) => fetched).length).toBeGreaterThan(800);
});

describe.each(locks)('$file', ({ text, fetched }) => {
  it('has the hash of every package that it resolves', () => {
    const without = fetched.filter(
      ([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity),
    );
    expect(without.map(([path, { version }]) => `${path} ${version}`)).toEqual([]);
  });

  it('names no registry', () => {
    expect(fetched.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(/"resolved": "[a-z+]+:/.exec(text)).toBeNull();
  });
});
