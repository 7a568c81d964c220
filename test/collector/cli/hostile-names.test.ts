/** Every command, on a store and on files full of names that attack terminals and spreadsheets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { terminalOn } from '../../../collector/cli/output/terminal.ts';
import { createProgram } from '../../../collector/cli/program.ts';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { exampleEvent } from '../support/events.ts';
import { attacksIn, hostileEvents, hostileName } from '../support/hostile.ts';
import { writeHostileFiles } from '../support/hostile-files.ts';

const directory = temporaryDirectory();
/** A folder's name may contain anything but a slash and NUL. */
const hostileDirectory = join(directory, `d${hostileName.replaceAll('/', '')}`);
const env = { PI_LEDGER_HOME: join(directory, 'home'), HOME: directory };

interface Run {
  readonly out: string;
  readonly err: string;
}

async function run(argv: readonly string[], columns: number | null, colour: boolean): Promise<Run> {
  const [out, err]: [string[], string[]] = [[], []];
  const screen = {
    env,
    columns,
    colour,
    now: () => new Date('2026-11-22T12:00:00Z'),
    print: (text: string) => out.push(text),
    complain: (text: string) => err.push(text),
  };
  await main(argv, screen);
  return { out: out.join('\n'), err: err.join('\n') };
}

const scope = { project: hostileName, user: hostileName, model: hostileName, label: null };
const budget = { project: hostileName, per: 'month', limit: 1, in: 'tokens' };
const crossed = exampleEvent({
  number: 2_000,
  type: 'pi.budget.crossed.v1',
  data: { budget: hostileName, ...scope },
});

beforeAll(async () => {
  mkdirSync(env.PI_LEDGER_HOME, { recursive: true });
  const budgets = [{ name: 'b', ...budget }];
  writeFileSync(join(env.PI_LEDGER_HOME, 'config.json'), JSON.stringify({ budgets }));
  const ledger = await openLedger(loadCollectorConfig(env));
  const refused = [
    { [hostileName]: 1 },
    { ...exampleEvent({ number: 1_000 }), type: hostileName },
    { ...exampleEvent({ number: 1_001 }), data: { [hostileName]: 1 } },
  ];
  const ack = await ledger.ingest.accept([...hostileEvents(1), ...refused]);
  expect(ack.rejected.map(({ index }) => index)).toEqual(
    refused.map((_, index) => hostileEvents(1).length + index),
  );
  const own = await ledger.ingest.accept([crossed], undefined, { is: 'record' });
  expect(own).toMatchObject({ accepted: 1 });
  await ledger.subscription.catchUp();
  await ledger.close();
  writeHostileFiles(hostileDirectory);
});

const compactionIds = hostileEvents(1).flatMap(({ type, id }) =>
  /compaction|branch/.test(type) ? [id] : [],
);
const at = (name: string) => join(hostileDirectory, name);

/** The arguments of each command; a command that is missing here fails the test below. */
const runs: Readonly<Record<string, readonly (readonly string[])[]>> = {
  overview: [['overview'], ['overview', '--wide']],
  today: [['today']],
  yesterday: [['yesterday']],
  week: [['week', '--by', 'model']],
  month: [['month']],
  report: ['project', 'model', 'session', 'user', 'tree'].map((by) => ['report', '--by', by]),
  sessions: [['sessions'], ['sessions', '--tree'], ['sessions', '--project', hostileName]],
  'sessions show': [
    ['sessions', 'show', 'last'],
    ['sessions', 'show', 'last', '--wide'],
    ['sessions', 'show', hostileName],
  ],
  models: [['models'], ['models', '--wide'], ['models', '--unpriced']],
  tools: [['tools'], ['tools', '--user', hostileName]],
  context: [
    ['context', 'last'],
    ['context', hostileName],
  ],
  compactions: [['compactions'], ['compactions', '--session', hostileName]],
  'compactions show': [
    ['compactions', 'show', hostileName],
    ...compactionIds.map((id) => ['compactions', 'show', id]),
  ],
  quota: [['quota']],
  'quota history': [
    ['quota', 'history'],
    ['quota', 'history', '--by-user'],
  ],
  budgets: [['budgets'], ['budgets', '--wide'], ['budgets', '--project', hostileName]],
  'budgets crossings': [
    ['budgets', 'crossings', '--wide'],
    ['budgets', 'crossings', '--budget', hostileName],
  ],
  'budgets deliveries': [['budgets', 'deliveries']],
  'budgets test-notices': [['budgets', 'test-notices']],
  requests: [['requests'], ['requests', '--failed'], ['requests', '--user', hostileName]],
  insights: [['insights'], ['insights', '--since', '2026-11-01']],
  'insights hide': [
    ['insights', 'hide', hostileName],
    ['insights', 'hide', '00000000'],
  ],
  'insights unhide': [['insights', 'unhide', '00000000']],
  'insights show-hidden': [['insights', 'show-hidden']],
  digest: [['digest'], ['digest', '--month', '2026-05-01'], ['digest', '--user', hostileName]],
  label: [
    ['label', '--project', hostileName, 'team=x'],
    ['label', '--host', 'pi', '--dry-run', `team=${hostileName}`],
  ],
  reprice: [
    ['reprice', '--catalog', at('good.json')],
    ['reprice', '--catalog', at('bad.json')],
    ['reprice', '--catalog', at('none.json')],
  ],
  import: [
    ['import', '--pi', hostileDirectory, '--dry-run'],
    ['import', '--pi', hostileDirectory],
    ['import', '--omp', at('none')],
  ],
  billing: [['billing'], ['billing', `${hostileName}=free`], ['billing', `${hostileName}=metered`]],
  reconcile: [['reconcile', '--pi', hostileDirectory, '--all']],
  'store rebuild': [
    ['rebuild', hostileName],
    ['rebuild', 'sessions'],
  ],
  export: [
    ['export'],
    ['export', '--focus', at('focus.csv')],
    ['export', at('export.ndjson')],
    ['export', at('none/export.ndjson')],
  ],
  'export-openmetrics': [
    ['export-openmetrics', '--since', '2026-01-01'],
    ['export-openmetrics', '--since', '2026-01-01', '--output', at('history.txt')],
    ['export-openmetrics', '--since', hostileName],
  ],
  'export-otel': [
    ['export-otel', '--since', '2026-01-01'],
    ['export-otel', '--since', hostileName],
  ],
  'import-events': [['import-events', at('events.ndjson')]],
  'store copy': [
    ['copy', '--to', `sqlite:${at('copy.db')}`],
    ['copy', '--to', hostileName],
    ['copy', '--from', `sqlite:${at('none.db')}`],
  ],
  'store migrate': [['migrate']],
  'store topics': [['topics'], ['topics', '--partitions', hostileName]],
  'store seal': [
    ['seal', '--before', '2026-11-01'],
    ['seal', '--before', hostileName],
  ],
  'withdraw event': [['withdraw', 'event', hostileName, '--reason', hostileName]],
  'withdraw session': [['withdraw', 'session', hostileName, '--reason', hostileName, '--dry-run']],
  'withdraw token': [['withdraw', 'token', hostileName, '--since', '1d', '--reason', 'x']],
  'withdraw list': [
    ['withdraw', 'list'],
    ['withdraw', 'list', '--wide'],
  ],
  completion: ['bash', 'zsh', 'fish', 'man'].map((shell) => ['completion', shell]),
  'store rejected list': [['rejected', 'list']],
  'store rejected remove': [
    ['rejected', 'remove', '99'],
    ['rejected', 'remove', hostileName],
  ],
  'store rejected retry': [
    ['rejected', 'retry'],
    ['rejected', 'retry', hostileName],
  ],
  'token create': [
    ['token', 'create', '--user', hostileName, '--scope', 'read'],
    ['token', 'create', '--user', '\u202eada', '--scope', 'read'],
  ],
  'token list': [['token', 'list']],
  'token revoke': [['token', 'revoke', hostileName]],
  doctor: [['doctor']],
  init: [['init'], ['init', '--dry-run']],
  uninstall: [['uninstall'], ['uninstall', '--dry-run']],
  'compose-init': [
    ['compose-init', '--file', at('.env')],
    ['compose-init', '--file', at('none/.env')],
  ],
  demo: [
    ['demo', '--data-only', at('demo.db'), '--days', '1'],
    ['demo', '--days', hostileName],
  ],
};

/** Runs until it is stopped; tested below as a process. */
const processes = ['start'];

const silent = terminalOn({
  env,
  columns: null,
  colour: false,
  now: () => new Date(0),
  print: () => undefined,
  complain: () => undefined,
});
const leaves = leavesOf(createProgram(silent, () => undefined));

describe('every command', () => {
  it('is driven here', () => {
    expect(leaves.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(runs), ...processes].toSorted(),
    );
  });

  it.each(leaves.filter(({ name }) => name in runs))(
    '$name shows hostile names without harm',
    async ({ name, formats }) => {
      const given = (runs[name] ?? []).flatMap((argv) =>
        formats.map((format) => [...argv, ...format]),
      );
      for (const argv of given) {
        for (const columns of [null, 60]) {
          const { out, err } = await run(argv, columns, false);
          expect({ argv, attacks: attacksIn(`${out}\n${err}`) }).toEqual({ argv, attacks: [] });
          if (argv.includes('--json'))
            for (const text of jsonIn(out, name)) expect(() => JSON.parse(text)).not.toThrow();
        }
      }
    },
  );

  it('uses only its own colours', async () => {
    const { out } = await run(['report', '--by', 'model'], 200, true);
    expect(out).toContain('\u001b[1m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(attacksIn(out.replace(/\u001b\[(?:1|2|22|33|39)m/g, ''))).toEqual([]);
  });

  it('has the same values as JSON', async () => {
    const { out } = await run(['report', '--by', 'project', '--json'], null, false);
    expect(JSON.parse(out).rows.map(({ project }: { project: string }) => project)).toContain(
      hostileName,
    );
  });
});

it('the collector, as a process, says and logs nothing raw', async () => {
  const sessions = join(
    directory,
    '.pi',
    'agent',
    'sessions',
    `--${hostileName.replaceAll('/', '')}--`,
  );
  mkdirSync(sessions, { recursive: true });
  writeFileSync(
    join(sessions, '2026-11-22_bad.jsonl'),
    `{"type":"session","id":"x","cwd":"/x"}\n{"${hostileName}\n`,
  );
  const bin = join(import.meta.dirname, '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');
  const child = spawn(process.execPath, [bin, 'start'], {
    env: { ...process.env, ...env, PI_LEDGER_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  await expect.poll(() => said).toContain('Work as usual');
  await fetch(`${/http:\S+/.exec(said)?.[0]}/v1/rebuild/${encodeURIComponent(hostileName)}`, {
    method: 'POST',
  });
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(attacksIn(said)).toEqual([]);
});

interface Leaf {
  readonly name: string;
  readonly formats: readonly (readonly string[])[];
}

/** An export is NDJSON. */
/** `--json` is of the summary beside a file; what goes out itself has a format of its own. */
function jsonIn(out: string, name: string): string[] {
  if (name === 'export-openmetrics' && out.startsWith('# ')) return [];
  return (name === 'export' ? out.split('\n') : [out]).filter((text) => text !== '');
}

/** The commands with an action, and the formats that they have. */
function leavesOf(command: ReturnType<typeof createProgram>, path: readonly string[] = []): Leaf[] {
  const formats = ['--json', '--csv', '--markdown']
    .filter((format) => command.options.some(({ long }) => long === format))
    .map((format) => [format]);
  const isLeaf =
    path.length > 0 &&
    ((command as unknown as { _actionHandler: unknown })._actionHandler ?? null) !== null;
  const below = command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]));
  return isLeaf ? [{ name: path.join(' '), formats: [[], ...formats] }, ...below] : below;
}
