/** What a command says when it fails: in words, with what to do; never a text of Node. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory();

async function run(home: string, argv: readonly string[], env: Record<string, string> = {}) {
  const printed: string[] = [];
  const complained: string[] = [];
  const code = await main(argv, {
    env: { PI_LEDGER_HOME: home, HOME: home, ...env },
    columns: null,
    colour: false,
    now: () => new Date('2026-11-20T12:00:00Z'),
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

const newHome = () => mkdtempSync(join(root, 'home-'));

/** Nobody listens there: it was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('a collector that does not answer', () => {
  it.each(['report', 'sessions', 'import', 'compactions'])(
    '%s says which, and what to do',
    async (command) => {
      const url = `http://127.0.0.1:${await freePort()}`;
      expect(await run(newHome(), [command], { PI_LEDGER_URL: url })).toEqual({
        code: 1,
        printed: '',
        complained:
          `error: no answer from ${url} (nothing listens there). ` +
          'Start the collector there, or correct PI_LEDGER_URL or "url" in config.json',
      });
    },
  );

  it('is a finding of the doctor, which goes on', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { code, printed, complained } = await run(newHome(), ['doctor'], { PI_LEDGER_URL: url });
    expect([code, complained]).toEqual([1, '']);
    expect(printed).toMatch(/^disk +ok /m);
    expect(printed).toMatch(/^collector +BAD +no answer from http:.*nothing listens there/m);
  });
});

it('a database that is down: what was asked, and what to do, without a code', async () => {
  const store = `mongodb://ada:secret@127.0.0.1:${await freePort()}/?serverSelectionTimeoutMS=100`;
  expect(await run(newHome(), ['report'], { PI_LEDGER_STORE: store })).toEqual({
    code: 1,
    printed: '',
    complained:
      'error: The database server does not answer: nothing listens there. ' +
      'Start it, or correct PI_LEDGER_STORE or "store" in config.json.',
  });
});

it('import-events says that a folder is no file, and which', async () => {
  const home = newHome();
  expect(await run(home, ['import-events', home])).toEqual({
    code: 1,
    printed: '',
    complained: `error: ${home} is a folder: give a file that \`pi-ledger export\` wrote.`,
  });
});

describe('files that are not what they should be', () => {
  const homes = {
    'a config.json that is not JSON': (home: string) =>
      writeFileSync(join(home, 'config.json'), '{"port": }'),
    'a home that is a file': (home: string) => {
      rmSync(home, { recursive: true });
      writeFileSync(home, '');
    },
    'a collector.json that is a folder': (home: string) => mkdirSync(join(home, 'collector.json')),
    'a store that is a folder': (home: string) => mkdirSync(join(home, 'ledger.db')),
  };
  it.each(Object.entries(homes))('%s: a sentence, and a finding of the doctor', async (_, make) => {
    const home = newHome();
    make(home);
    const report = await run(home, ['report']);
    expect(report.code).toBeGreaterThan(0);
    expect(report.complained).toMatch(/^error: [^\n]+$/);
    expect(report.complained).not.toMatch(/\bE[A-Z]{4,}:|SyntaxError|Unexpected|at .*:\d+:\d+/);
    const doctor = await run(home, ['doctor']);
    expect([doctor.code, doctor.complained]).toEqual([1, '']);
    expect(doctor.printed).toMatch(/^versions +ok /m);
    expect(doctor.printed).toMatch(/ BAD /);
  });
});

describe('a new ledger', () => {
  it('says that there are no session files', async () => {
    expect((await run(newHome(), ['report'])).printed).toMatch(
      /\nNothing is recorded yet, and there are no session files of pi or omp\. pi-ledger doctor /,
    );
  });

  it('says that files wait, and which command reads them, as the user calls it', async () => {
    const home = newHome();
    const folder = join(home, '.pi', 'agent', 'sessions', 'x');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.jsonl'), '{"type":"session","id":"a","version":3}\n');
    const waiting = /\nNothing is recorded yet: 1 session file waits\. /;
    for (const command of ['report', 'compactions', 'insights', 'digest', 'models'])
      expect((await run(home, [command])).printed, command).toMatch(waiting);
    const { printed } = await run(home, ['sessions'], { PATH: '/nowhere' });
    expect(printed).toMatch(waiting);
    const program = join(import.meta.dirname, '../../../collector/bin/pi-ledger.mjs');
    expect(printed).toContain(`node ${program} import reads them now`);
  });
});
