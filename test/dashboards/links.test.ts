/** Links from Grafana to the built-in page: each opens a view, whatever names contain. */
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { placeOf } from '../../dashboards/web/state/place.ts';
import { type DrawnPanel, dashboards, panelsOf } from './support/pages.ts';

interface Link {
  readonly title: string;
  readonly url: string;
}

const page = 'https://ledger.example:7717';
const collector = `\${collector}`;
const ofValue = `\${__value.raw}`;
const panels = dashboards.flatMap((dashboard) =>
  panelsOf(dashboard).map((panel) => ({ ...panel, place: `${dashboard.title}: ${panel.title}` })),
);
const columns = panels.flatMap((panel) =>
  linksOf(panel).map((link) => ({ ...link, panel, place: panel.place })),
);

/** As Grafana 13 makes the address of a link: what stands in fields, then what it sanitizes. */
function addressOf(url: string, fields: Readonly<Record<string, string>>, value: string): string {
  const written = url
    .replace(collector, page)
    .replaceAll(/\$\{__(from|to):date:YYYY-MM-DD\}/g, '2026-11-01')
    .replaceAll(/\$\{__data\.fields\["([^"]+)"\]\}/g, (_, name) => encodeURI(fields[name] ?? ''))
    .replaceAll(ofValue, encodeURI(value));
  return sanitized(written);
}

/** Percent signs are decoded twice, and what looks dangerous is taken out. */
function sanitized(url: string): string {
  const once = decodeURIComponent(url)
    .replaceAll(/&#(\w+);?/g, (_, code) => String.fromCharCode(code))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: as there
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u2000-\u200D\uFEFF]/g, '')
    .replaceAll(/\\[nrt]/g, '');
  return decoded(once).replaceAll('\\', '/');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function opened(address: string) {
  const { origin, pathname, search, hash } = new URL(address);
  expect(origin).toBe(page);
  expect(hash).toBe('');
  return placeOf(`${pathname}${search}`);
}

function linksOf({ fieldConfig }: DrawnPanel): (Link & { column: string })[] {
  return (fieldConfig?.overrides ?? []).flatMap(({ matcher, properties }) =>
    properties
      .filter(({ id }) => id === 'links')
      .flatMap(({ value }) => (Array.isArray(value) ? value : []))
      .filter(({ url }) => url.startsWith(collector))
      .map(({ title, url }) => ({ title, url, column: matcher.options })),
  );
}

const hostile = [
  'shop',
  '<img src=x onerror=alert(1)>',
  '\u202Egnp.exe',
  'a/b',
  '..',
  '%41%2F',
  '~-a~2Fb',
  '?range=7d&show=x#y',
  'C:\\new\\temp',
  '&#65; 1 + 1',
  'bell\u0007',
  'é 漢字 😀',
];

it('lead from every column of sessions, projects and compactions, and from models', () => {
  const named = (name: string) => columns.filter(({ column }) => column === name).length;
  const shown = (name: string) =>
    panels.filter(({ type, targets = [] }) => type === 'table' && has(targets, name)).length;
  for (const name of ['Session', 'Project', 'Compaction'])
    expect(named(name), name).toBe(shown(name));
  expect(named('Session')).toBeGreaterThanOrEqual(4);
  expect(named('Project')).toBeGreaterThanOrEqual(6);
  expect(named('Model')).toBeGreaterThanOrEqual(3);
});

function has(targets: NonNullable<DrawnPanel['targets']>, name: string): boolean {
  return targets.some(({ columns: all = [] }) => all.some(({ selector }) => selector === name));
}

describe.each(hostile)('of what is named %j', (name) => {
  const toNames = columns.filter(({ url }) => url.includes('__data.fields'));
  it.each(toNames)('$place, $column', async ({ url, panel, column }) => {
    const fields = await rowOf(panel, name);
    const place = opened(addressOf(url, fields, name));
    expect(place?.view).toBe(column === 'Session' ? 'sessions' : 'projects');
    expect(place?.id).toBe(name);
    expect(place?.parameters.range).toBe('2026-11-01..2026-11-01');
  });
});

it('lead to the unknown project where no name is known', async () => {
  const [first] = columns.filter(({ column }) => column === 'Project');
  if (first === undefined) throw new Error('No column of projects has a link.');
  const fields = await rowOf(first.panel, null);
  expect(opened(addressOf(first.url, fields, 'unknown'))).toMatchObject({
    view: 'projects',
    id: '',
  });
});

/** The panel's row of what has this name, as its own expression makes it of an answer. */
async function rowOf(panel: DrawnPanel, name: string | null): Promise<Record<string, string>> {
  const selector = panel.targets?.[0]?.root_selector ?? '';
  const rows = [{ id: name, session: name, project: name }];
  const everyProject = selector.replace(/\/\^\(\$\{project:regex\}\)\$\//, '/.*/');
  const made = await jsonata(everyProject).evaluate({ rows, byProject: rows });
  const [row] = JSON.parse(JSON.stringify(made));
  return row;
}

it('lead from compactions to the story, from models to the models', () => {
  const id = '01a2073c-26a2-8daf-b11a-f0afd6cfa211';
  const others = columns.filter(({ url }) => !url.includes('__data.fields'));
  for (const { url, column, place } of others) {
    const to = opened(addressOf(url, {}, id));
    expect(to?.view, place).toBe(column === 'Model' ? 'models' : 'compactions');
    expect(to?.parameters.show).toBe(column === 'Model' ? undefined : id);
  }
});

it('hidden columns are there for links alone', () => {
  const paths = panels.flatMap(({ place, targets = [], fieldConfig }) =>
    targets.flatMap(({ columns: all = [] }) =>
      all
        .filter(({ selector }) => selector.endsWith(' path'))
        .map(({ selector }) => ({ place, selector, fieldConfig })),
    ),
  );
  expect(paths.length).toBeGreaterThanOrEqual(9);
  for (const { place, selector, fieldConfig } of paths) {
    const own = fieldConfig?.overrides.find(({ matcher }) => matcher.options === selector);
    const hides = { id: 'custom.hideFrom.viz', value: true };
    expect(own?.properties, `${place}, ${selector}`).toContainEqual(hides);
  }
});

it.each(dashboards)('above $title: to the view of the same', ({ uid, text }) => {
  const { links } = JSON.parse(text);
  const { url } = links.find(({ title }: Link) => title === 'The page');
  const view = uid.replace('pi-ledger-', '');
  const views: Readonly<Record<string, string>> = { project: 'projects', context: 'overview' };
  expect(opened(addressOf(url, {}, ''))).toMatchObject({
    view: views[view] ?? view,
    id: null,
    parameters: { range: '2026-11-01..2026-11-01' },
  });
});

it('above the windows of subscriptions: to the budgets', () => {
  const panel = panels.find(({ title }) => title === 'Quota of subscriptions, now');
  const [{ url = '' } = {}] = panel?.links ?? [];
  expect(opened(addressOf(url, {}, ''))?.view).toBe('budgets');
});
