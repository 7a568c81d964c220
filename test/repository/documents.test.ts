/** Documents that a person reads: what they and the sources refer to is there. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const decisionsMax = 25;
const decisionWordsMax = 420;
const benchmarksWordsMax = 2_500;

const texts = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.tsx', '*.mjs', '*.cjs'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const pages = texts.filter(({ file }) => file.endsWith('.md'));
const decisions = readdirSync(join(root, 'docs/decisions')).sort();

it('links between documents lead to a file, and to a heading of it', () => {
  const links = pages.flatMap(linksIn);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
});

it('every decision that is named is there', () => {
  const numbers = new Set(decisions.map((name) => Number(name.slice(0, 4))));
  const named = texts.flatMap(({ file, text }) =>
    [...text.matchAll(/\bdecisions?(?:\/00|\s+)(\d{1,2})\b/gi)].map((match) => ({
      file,
      number: Number(match[1]),
    })),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ number }) => !numbers.has(number))).toEqual([]);
});

it(`there are at most ${decisionsMax} decisions, each of about a page`, () => {
  expect(decisions.length).toBeLessThanOrEqual(decisionsMax);
  const long = decisions.filter((name) => wordsIn(`docs/decisions/${name}`) > decisionWordsMax);
  expect(long).toEqual([]);
});

it('a decision names files and tests that are there', () => {
  const path = /`((?:collector|contract|core|dashboards|extension|test)\/[^`]+)`/g;
  const named = decisions.flatMap((name) =>
    [...textOf(`docs/decisions/${name}`).matchAll(path)].map(([, file = '']) => file),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it('docs/benchmarks.md is read in ten minutes', () => {
  expect(wordsIn('docs/benchmarks.md')).toBeLessThanOrEqual(benchmarksWordsMax);
});

function linksIn({ file, text }: { readonly file: string; readonly text: string }) {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => ({ file, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(link: { readonly file: string; readonly target: string }): boolean {
  const [path = '', heading] = link.target.split('#');
  const file = path === '' ? join(root, link.file) : join(root, dirname(link.file), path);
  if (!existsSync(file)) return false;
  return heading === undefined || headingsOf(file).has(heading);
}

/** As GitHub names them, and those that a page names itself. */
function headingsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8');
  const ids = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id);
  const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  const slug = (title: string) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
  return new Set([...ids, ...titles.map(slug)]);
}

function wordsIn(path: string): number {
  return textOf(path).split(/\s+/).length;
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
