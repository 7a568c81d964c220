/** How large lines, files and folders may be, so that each can be read at a glance. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const lineCharsMax = 100;
const fileLinesMax = 250;
const packageEntriesMax = 26;

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '');
const typescript = tracked
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n') }));
const packages = ['contract', 'core', 'extension', 'collector', 'dashboards'];

function isOfAPackage(file: string): boolean {
  return packages.some((name) => file.startsWith(`${name}/`));
}

/** What begins so has no subject, and no verb. */
const fragment = /^\s*\/\*\*(?:\n\s*\*)? (?:Of |Null\b)/m;

/** A declared function, or a constant that is one: its name. */
const functionName = new RegExp(
  [
    String.raw`^\s*(?:export )?(?:async )?function\*? (\w+)[(<]`,
    String.raw`^\s*(?:export )?const (\w+) = (?:async )?(?:\(|\w+ =>)`,
  ].join('|'),
);

function nameIn(line: string): string | undefined {
  const [, declared, constant] = functionName.exec(line) ?? [];
  return declared ?? constant;
}

describe('TypeScript', () => {
  it('has no doc comment in a package that begins with "Of" or "Null"', () => {
    const found = typescript
      .filter(({ file, lines }) => isOfAPackage(file) && fragment.test(lines.join('\n')))
      .map(({ file }) => file);
    expect(found).toEqual([]);
    expect('/** Of all. */').toMatch(fragment);
    expect('  /**\n   * Null: none.\n   */').toMatch(fragment);
  });

  it('has functions that are verbs, or the noun they return: few end in Of', () => {
    const names = typescript
      .filter(({ file }) => isOfAPackage(file))
      .flatMap(({ lines }) => lines.flatMap((line) => nameIn(line) ?? []));
    const ofs = names.filter((name) => /[a-z0-9]Of$/.test(name));
    expect(names.length).toBeGreaterThan(3_000);
    expect(ofs.length / names.length).toBeLessThanOrEqual(0.1);
    expect(nameIn('export async function* sumOf(')).toBe('sumOf');
    expect(nameIn('  const sumOf = async (a: A): number =>')).toBe('sumOf');
  });

  it(`has no line over ${lineCharsMax} characters`, () => {
    const long = typescript.flatMap(({ file, lines }) =>
      lines.flatMap((line, index) =>
        [...line].length > lineCharsMax ? [`${file}:${index + 1}`] : [],
      ),
    );
    expect(typescript.length).toBeGreaterThan(1_000);
    expect(long).toEqual([]);
  });

  it(`has no file of a package over ${fileLinesMax} lines`, () => {
    const sources = typescript.filter(({ file }) => isOfAPackage(file));
    const long = sources.filter(({ lines }) => lines.length - 1 > fileLinesMax);
    expect(sources.length).toBeGreaterThan(500);
    expect(long.map(({ file }) => file)).toEqual([]);
  });
});

it.each(packages)(`%s/ has at most ${packageEntriesMax} entries`, (name) => {
  expect(entriesOf(name).length).toBeLessThanOrEqual(packageEntriesMax);
});

function entriesOf(folder: string): readonly string[] {
  const below = tracked.filter((file) => file.startsWith(`${folder}/`));
  return [...new Set(below.map((file) => file.slice(folder.length + 1).split('/')[0] ?? ''))];
}
