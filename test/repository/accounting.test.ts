/**
 * docs/accounting.md lists rules with the tests that hold them: every one of these tests exists.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { reasons } from '../../collector/reconcile/reasons.ts';
import { corpusCases } from '../collector/reconcile/support/corpus.ts';
import { packageCases } from '../collector/reconcile/support/package-corpus.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(`${root}/docs/accounting.md`, 'utf8');

function rowsUnder(heading: string): readonly (readonly string[])[] {
  const [section = ''] = (text.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ');
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
}

/** Of the corpus: `@scope/name 1.0.0` is in `scope-name-1.0.0`. */
function folderOf(name: string): string {
  return name.replace('@', '').replaceAll(/[/ ]/g, '-');
}

/** The full title of each test, or the name of each case of the corpus. */
function titlesIn(source: string): readonly string[] {
  const tests = [...source.matchAll(/\b(?:it|test)\b[^'"`\n]*\(\s*(['"`])(.+?)\1,/g)].map(
    ([, , title = '']) => title,
  );
  const each = [...source.matchAll(/\)\(\s*(['"`])(.+?)\1,/g)].map(([, , title = '']) => title);
  const cases = [...source.matchAll(/^ {2}"([^"]+)": \{$/gm)].map(([, name = '']) => name);
  return [...tests, ...each, ...cases];
}

describe('docs/accounting.md', () => {
  const rules = rowsUnder('Rules and their tests').slice(1);

  it.each(rules)('%s: there is a test "%s" in %s', (_rule, title = '', file = '') => {
    const path = `${root}/${file.replaceAll('`', '')}`;
    expect(existsSync(path), path).toBe(true);
    expect(titlesIn(readFileSync(path, 'utf8'))).toContain(title);
  });

  it('has many of them', () => expect(rules.length).toBeGreaterThan(50));

  it('tells every reason that reconcile has, as the program does', () => {
    const told = rowsUnder('Reconcile').slice(1);
    const expected = Object.entries(reasons).map(([code, { explained, sentence }]) => [
      `\`${code}\``,
      explained ? '0' : '1',
      sentence,
    ]);
    expect(told).toEqual(expected);
  });

  it('has a damage for every reason that is a fault', () => {
    const tests = [
      'command-line/damage',
      'command-line/damaged-claims',
      'command-line/damaged-fields',
      'command-line/damaged-moves',
      'command-line/damaged-views',
      'command-line/left-out',
      'command-line/odd-lines',
      'command-line/private',
      'command-line/private-evidence',
      'command-line/sealed',
      'command-line/witnesses',
      'witnesses',
      'shared-id',
      'too-many',
    ]
      .map((name) => readFileSync(`${root}/test/collector/reconcile/${name}.test.ts`, 'utf8'))
      .join();
    const faults = Object.entries(reasons).flatMap(([code, { explained }]) =>
      explained ? [] : [code],
    );
    expect(faults.length).toBeGreaterThanOrEqual(10);
    expect(faults.filter((code) => !tests.includes(`'${code}'`))).toEqual([]);
  });

  it('has a row for every recorded package, exact if an import sees all of its requests', () => {
    const rows = rowsUnder('Packages').flatMap(([names = '', , , imported = '']) =>
      names.split(', ').map((name) => [folderOf(name), imported.startsWith('exact')] as const),
    );
    const isExact = new Map(rows);
    const seen = packageCases().map(({ name, import: { unseen = [] } = {} }) => ({
      package: name.split('/')[0] ?? '',
      isExact: unseen.length === 0,
    }));
    expect(seen).toEqual(seen.map((each) => ({ ...each, isExact: isExact.get(each.package) })));
  });

  it('has a row for every case of the corpus, which pi-ledger counts right', () => {
    const rows = rowsUnder('How others count').filter(([name]) =>
      corpusCases().some((each) => each.name === name),
    );
    expect(rows.map(([name, ours]) => [name, ours])).toEqual(
      corpusCases().map(({ name }) => [name, 'ok']),
    );
  });
});
