/**
 * Writes the tables of settings into the documents, from the list that both processes use: `npm run
 * settings`. A test compares the two.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Setting } from '../../contract/settings/setting.ts';
import { type SettingKey, settingList } from '../../contract/settings/settings.ts';
import { code, row, withPart } from './markdown.ts';

interface Page {
  /** From the repository's root. */
  readonly path: string;
  readonly keys: (setting: Setting) => boolean;
  /** The path from this page to the root, for links. */
  readonly toRoot: string;
}

export const pages: readonly Page[] = [
  { path: 'docs/settings.md', keys: () => true, toRoot: '../' },
  { path: 'extension/README.md', keys: ({ readBy }) => readBy !== 'collector', toRoot: '../' },
];

export function textOf({ path }: Page): string {
  return readFileSync(placeOf(path), 'utf8');
}

/** The page with the current table. Throws if the page has no place for it. */
export function withTable(page: Page): string {
  return withPart(textOf(page), { name: 'settings', script: 'settings' }, tableOf(page));
}

function tableOf({ keys, toRoot }: Page): string {
  const rows = settingList
    .filter(([, setting]) => keys(setting))
    .map(([key, setting]) => rowOf(key, setting, toRoot));
  const home = row(
    code('PI_LEDGER_HOME'),
    '',
    code('~/.pi-ledger'),
    'where everything lies, `config.json` too',
  );
  return [
    row('environment', 'key', 'default', 'meaning'),
    '|---|---|---|---|\n',
    home,
    ...rows,
  ].join('');
}

function rowOf(key: SettingKey, setting: Setting, toRoot: string): string {
  const { variable, unit, zero, meaning } = setting;
  const fallback = defaultOf(setting);
  const text = meaning.replaceAll('](', `](${toRoot}`).replaceAll('|', '\\|');
  return row(
    variable === undefined ? '' : code(variable),
    code(key),
    fallback === '' ? '' : `${code(fallback)}${unit === undefined ? '' : ` ${unit}`}`,
    `${text}${zero === undefined ? '' : `; 0: ${zero}`}`,
  );
}

/** Empty if there is no default. */
function defaultOf({ default: value, defaultText }: Setting): string {
  if (defaultText !== undefined) return defaultText;
  return value === null || typeof value === 'object' ? '' : String(value);
}

const placeOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const page of pages) writeFileSync(placeOf(page.path), withTable(page));
}
