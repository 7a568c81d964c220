/**
 * The import rules: each one fails on an import that it forbids, and no two rooms need each other.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { toolProgram } from '../tools/tools.ts';

interface Cruised {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
  readonly summary: {
    readonly violations: readonly { from: string; to: string; rule: { name: string } }[];
  };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const configFile = '.dependency-cruiser.json';
const sources = ['contract', 'core', 'extension', 'collector', 'migrations', 'dashboards'];
const { forbidden: rules } = JSON.parse(readFileSync(join(root, configFile), 'utf8')) as {
  readonly forbidden: readonly { readonly name: string }[];
};

/** An import that is forbidden, by the rule that forbids it: who imports, and whom. */
const forbidden: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'no-circles': ['collector/log/one.ts', 'collector/log/other.ts'],
  'contract-imports-only-its-schema-library': ['contract/events/turn.ts', 'extension/clock.ts'],
  'settings-need-nothing': ['contract/settings/settings.ts', 'contract/registry.ts'],
  'core-imports-contract-node-and-secret-rules': ['core/spool/lease.ts', 'extension/clock.ts'],
  'extension-imports-core-contract-and-node': ['extension/live/run.ts', 'collector/main.ts'],
  'the-agent-has-the-contract-as-types-only': ['extension/recorder.ts', 'contract/index.ts'],
  'recording-is-pure': ['core/record/entry.ts', 'core/spool/spool.ts'],
  'parts-know-the-contract-and-their-own-interface': [
    'collector/projections/usage.ts',
    'collector/stores/sqlite/views/rows.ts',
  ],
  'only-importers-use-the-recorders': ['collector/log/tail.ts', 'core/record/usage.ts'],
  'ingest-and-subscription-see-interfaces-only': [
    'collector/subscription/loop.ts',
    'collector/log/group-commit.ts',
  ],
  'http-sees-ingest-views-and-what-projections-define': [
    'collector/http/answering.ts',
    'collector/log/group-commit.ts',
  ],
  'what-answers-a-question-knows-neither-server-nor-terminal': [
    'collector/answers/usage/query.ts',
    'collector/http/cursor.ts',
  ],
  'what-answers-a-question-is-asked-by-nobody-below': [
    'collector/answers/usage/rows.ts',
    'collector/answers/usage/route.ts',
  ],
  'the-kits-import-no-question': [
    'collector/cli/output/table.ts',
    'collector/answers/sessions/row.ts',
  ],
  'cells-are-loaded-where-there-are-several': [
    'collector/roles/parts.ts',
    'collector/cells/join-cells.ts',
  ],
  'only-stores-name-their-technology': [
    'collector/roles/all.ts',
    'collector/stores/mongodb/lease.ts',
  ],
  'the-registry-of-stores-names-drivers-only': [
    'collector/stores/registry.ts',
    'collector/stores/sqlite/place.ts',
  ],
  'a-store-knows-no-other-one': [
    'collector/stores/mongodb/connection.ts',
    'collector/stores/sqlite/damage.ts',
  ],
  'a-store-driver-loads-its-technology-when-asked': [
    'collector/stores/mongodb/driver.ts',
    'collector/stores/mongodb/connection.ts',
  ],
  'an-agent-loads-what-reads-when-asked': [
    'collector/importers/omp/importer.ts',
    'collector/importers/scan.ts',
  ],
  'the-collector-imports-nothing-of-the-agent': [
    'collector/ingest/ingest.ts',
    'extension/shipping/shipment.ts',
  ],
  'a-migration-imports-nothing-that-changes': [
    'migrations/sqlite/0001-log.ts',
    'collector/errors.ts',
  ],
  'a-migration-imports-the-driver-as-types-only': ['migrations/mongodb/0001-log.ts', 'mongodb'],
  'only-stores-run-migrations': ['collector/cli/main.ts', 'migrations/sqlite/registry.ts'],
  'dashboards-import-the-contract-and-their-library': [
    'dashboards/grafana/kit/promql.ts',
    'collector/answers/usage/query.ts',
  ],
  'the-page-imports-the-contract-as-types-and-its-libraries': [
    'dashboards/web/app/app.ts',
    'collector/answers/usage/query.ts',
  ],
  'the-page-imports-the-contract-as-types-only': [
    'dashboards/web/views/view.ts',
    'contract/index.ts',
  ],
  'columns-are-data-without-a-library': [
    'contract/answers/models/columns.ts',
    'contract/answers/models/schema.ts',
  ],
  'what-a-view-asks-draws-nothing': ['dashboards/web/views/overview/asks.ts', 'mongodb'],
  'nothing-imports-dashboards': ['collector/roles/routes.ts', 'dashboards/grafana/all.ts'],
  'nothing-imports-tests': ['collector/ledger.ts', 'test/support/events.ts'],
};

describe('the import rules', () => {
  const directory = temporaryDirectory();
  let violations: Cruised['summary']['violations'] = [];

  beforeAll(async () => {
    const files = Object.values(forbidden);
    for (const [, to] of files) if (to.endsWith('.ts')) write(to, 'export const there = 1;\n');
    for (const [from, to] of files) write(from, importing(from, to));
    write('collector/log/other.ts', importing('collector/log/other.ts', 'collector/log/one.ts'));
    write('collector/views/one.ts', "export type { Other } from './other.ts';\n");
    write('collector/views/other.ts', "export type { Other as One } from './one.ts';\n");
    cpSync(join(root, 'tsconfig.json'), join(directory, 'tsconfig.json'));
    write('node_modules/mongodb/package.json', '{"main":"index.js"}');
    write('node_modules/mongodb/index.js', 'exports.there = 1;\n');
    ({ violations } = (await cruise(directory)).summary);
  });

  function write(file: string, text: string): void {
    const path = join(directory, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  function brokenBy(from: string, to: string): readonly string[] {
    const broken = violations.filter((each) => each.from === from && each.to.includes(to));
    return broken.map(({ rule }) => rule.name);
  }

  it.each(Object.entries(forbidden))('%s', (rule, [from, to]) => {
    expect(brokenBy(from, to)).toContain(rule);
  });

  it('no-circles, of types either', () => {
    expect(brokenBy('collector/views/one.ts', 'collector/views/other.ts')).toContain('no-circles');
  });

  it('are all tried', () => {
    expect(Object.keys(forbidden).sort()).toEqual(rules.map(({ name }) => name).sort());
  });
});

describe('this repository', () => {
  let modules: Cruised['modules'] = [];
  beforeAll(async () => {
    ({ modules } = await cruise(root));
  });

  it('has no circle of rooms', () => {
    const needs = neededBy(modules, roomOf);
    expect(needs.size).toBeGreaterThan(30);
    expect(inCircles(needs)).toEqual([]);
  });

  it('has no circle of files', () => {
    const needs = neededBy(modules, (file) => (isOurs(file) ? file : null));
    expect(inCircles(needs)).toEqual([]);
  });
});

function importing(from: string, to: string): string {
  const path = to.endsWith('.ts') ? relative(dirname(from), to) : to;
  const name = to.endsWith('.ts') && !path.startsWith('.') ? `./${path}` : path;
  return `import * as other from '${name}';\nexport const there = other;\n`;
}

/** Rules that are broken make no difference to the exit code of this output. */
async function cruise(cwd: string): Promise<Cruised> {
  const program = await toolProgram('check', 'dependency-cruiser', 'depcruise');
  const args = [program, '--config', join(root, configFile), '--output-type', 'json', ...sources];
  const maxBuffer = 256 * 1024 * 1024;
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, maxBuffer });
  return JSON.parse(stdout) as Cruised;
}

function isOurs(file: string): boolean {
  return sources.includes(file.split('/')[0] ?? '');
}

/** A room is a folder below a package, with all that is in it, or a file beside these folders. */
function roomOf(file: string): string | null {
  return isOurs(file) ? `${file.split('/').slice(0, 2).join('/')}${floorOf(file)}` : null;
}

/**
 * A question's folder has three floors: what computes the answer, the routes on the server's kit,
 * the command on the terminal's. The program of commands stands on the same kit as they do.
 */
function floorOf(file: string): string {
  return floors.find(({ files }) => files.test(file))?.floor ?? '';
}

const floors = [
  // Stores load the first, the command `copy` the second, who starts a collector all others.
  { floor: ', in stores', files: /^collector\/cells\/(log|mongodb)\// },
  { floor: ', copying', files: /^collector\/cells\/transfer\// },
  {
    floor: ', program',
    files: /^collector\/cli\/(commands|demo|doctor|exports|setup|main\.ts|program\.ts)/,
  },
  {
    floor: ', routes',
    files:
      /^collector\/answers\/((groups|question|routes)\.ts|.*(\/(route|visible-to)|-routes?\.))/,
  },
  {
    floor: ', commands',
    files: /^collector\/answers\/(digest\/|.*(\/(command|print)|-command\.))/,
  },
];

type Needs = ReadonlyMap<string, ReadonlySet<string>>;

/** What each part needs of the others; null: of no part. */
function neededBy(modules: Cruised['modules'], partOf: (file: string) => string | null): Needs {
  const needs = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const part = partOf(source);
    if (part === null) continue;
    const others = dependencies.map(({ resolved }) => partOf(resolved));
    const needed = needs.get(part) ?? new Set();
    for (const other of others) if (other !== null && other !== part) needed.add(other);
    needs.set(part, needed);
  }
  return needs;
}

function inCircles(needs: Needs): string[] {
  return [...needs.keys()].filter((part) => reachableFrom(part, needs).has(part)).toSorted();
}

function reachableFrom(part: string, needs: Needs): Set<string> {
  const reached = new Set<string>();
  const open = [...(needs.get(part) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(needs.get(next) ?? []));
  }
  return reached;
}
