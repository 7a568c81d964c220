/**
 * The lock file has a hash for every package and names no registry: that is the installer's choice.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: true;
}

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Locked>> };
const fetched = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

it('has the hash of every package that it resolves', () => {
  expect(fetched.length).toBeGreaterThan(400);
  const without = fetched.filter(
    ([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity),
  );
  expect(without.map(([path, { version }]) => `${path} ${version}`)).toEqual([]);
});

it('names no registry', () => {
  expect(fetched.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(/"resolved": "[a-z+]+:/.exec(text)).toBeNull();
});
