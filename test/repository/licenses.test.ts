/** What the packages contain of others is under licenses that ask for no more than to be named. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly license?: string;
  readonly dev?: true;
  readonly link?: true;
}

const allowed = ['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];

const textIn = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the licenses', () => {
  it('of all packages that run in production are allowed', () => {
    const { packages } = JSON.parse(textIn('package-lock.json')) as {
      readonly packages: Readonly<Record<string, Locked>>;
    };
    const inProduction = Object.entries(packages).filter(
      ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
    );
    expect(inProduction.length).toBeGreaterThan(100);
    expect(inProduction.filter(([, { license }]) => !isAllowed(license))).toEqual([]);
  });

  // `npm install` builds them, with what is bundled although only the build needs it.
  it.each(['collector/dist', 'extension/dist', 'collector/dist/web/assets'])(
    'of all code in %s are allowed',
    (folder) => {
      const path = `${folder}/LICENSES.txt`;
      expect([path, existsSync(new URL(`../../${path}`, import.meta.url))]).toEqual([path, true]);
      const named = [...textIn(path).matchAll(/^(\S+ \d+\.\d+\.\d+\S*) \((.+)\)$/gm)];
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter(([, , license]) => !isAllowed(license))).toEqual([]);
    },
  );

  it('are looked at: others are not allowed', () => {
    for (const license of [undefined, '', 'GPL-3.0', 'MIT OR Other', 'UNLICENSED', 'MIT AND AGPL'])
      expect([license, isAllowed(license)]).toEqual([license, false]);
  });
});

function isAllowed(license: string | undefined): boolean {
  return license !== undefined && allowed.includes(license);
}
