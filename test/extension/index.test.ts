import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { triggersOf } from '../../extension/live/triggers.ts';

let home = '';
let server: Server | null = null;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pi-ledger-index-'));
});
afterEach(() => {
  server?.close();
  server = null;
  rmSync(home, { recursive: true });
});

interface Outcome {
  readonly hooks: readonly string[];
  readonly answers: readonly string[];
  readonly notices: readonly string[];
  readonly stderr: string;
  readonly wallMs: number;
}

const program = fileURLToPath(new URL('./support/host-process.ts', import.meta.url));
const prompt = [
  ['session_start', { reason: 'startup' }],
  ['turn_end', {}],
  ['agent_settled', {}],
  ['session_shutdown', { reason: 'quit' }],
];

function run(
  options: {
    factories?: number;
    events?: unknown[];
    hasUI?: boolean;
    env?: Record<string, string>;
  } = {},
): Promise<Outcome> {
  const { factories = 1, events = prompt, hasUI = true, env = {} } = options;
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    PI_LEDGER_HOME: join(home, 'ledger'),
    PI_LEDGER_URL: 'http://127.0.0.1:9',
    ...env,
  };
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const argv = [program, JSON.stringify({ factories, events, hasUI })];
    execFile(
      process.execPath,
      argv,
      { env: environment, timeout: 20_000 },
      (error, stdout, stderr) => {
        if (error) return reject(new Error(`${error.message}\n${stderr}`));
        resolve({
          ...(JSON.parse(stdout) as Outcome),
          stderr,
          wallMs: performance.now() - startedMs,
        });
      },
    );
  });
}

function events(): readonly { type: string; sequence: string; source: string }[] {
  const spool = join(home, 'ledger', 'spool');
  if (!existsSync(spool)) return [];
  const segments = readdirSync(spool, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ndjson'),
  );
  return segments.sort().flatMap((name) =>
    readFileSync(join(spool, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

describe('the extension, loaded as a host loads it', () => {
  it('registers its hooks and answers none of them, but for the end of the process', async () => {
    const { hooks, answers, notices, stderr } = await run();
    expect(hooks).toEqual(triggersOf('pi', false));
    expect(answers).toEqual(['undefined', 'session_shutdown: Promise']);
    expect([notices, stderr]).toEqual([[], '']);
    expect(events().map(({ type }) => type)).toEqual([
      'pi.session.started.v1',
      'pi.session.attributed.v1',
      'pi.prompt.submitted.v1',
      'pi.turn.completed.v1',
      'pi.context.sampled.v1',
      'pi.session.ended.v1',
    ]);
  });

  it('goes on with the same producer when the host evaluates it again', async () => {
    await run({ factories: 3 });
    expect(new Set(events().map(({ source }) => source)).size).toBe(1);
    expect(events().map(({ sequence }) => Number(sequence))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('keeps its home to the user', async () => {
    await run();
    for (const path of ['ledger', 'ledger/spool', 'ledger/spool/marks'])
      expect(statSync(join(home, path)).mode & 0o777).toBe(0o700);
  });

  it('ends with the host, at once, when the end is none of the process', async () => {
    const { answers } = await run({
      events: [
        ['session_start', {}],
        ['session_shutdown', { reason: 'fork' }],
      ],
    });
    expect(answers).toEqual(['undefined']);
  });

  it('waits at the end no longer than it was told for a collector that hangs', async () => {
    server = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { wallMs: patient } = await run({ env: { PI_LEDGER_URL: url } });
    expect(patient).toBeGreaterThan(1_000);
    expect(events()).toHaveLength(6);
  });

  it.each([
    [401, 'rejects the token (401)'],
    [404, 'is not a trusted collector'],
  ])(
    'says on stderr what only the last attempt of a short run shows: status %i',
    async (status, words) => {
      server = createServer((_request, response) => response.writeHead(status).end()).listen(
        0,
        '127.0.0.1',
      );
      await new Promise((resolve) => server?.once('listening', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { stderr, notices } = await run({ hasUI: false, env: { PI_LEDGER_URL: url } });
      expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(words)]);
      expect([notices, events().length]).toEqual([[], 6]);
    },
  );

  it('accounts to the parent named in its environment, and waits at its end', async () => {
    const { answers } = await run({ env: { PI_LEDGER_PARENT: 'parent-session turn-1' } });
    const parents = events().filter(({ type }) => type === 'pi.subagent.accounted.v1');
    expect(parents).toMatchObject([
      {
        subject: 'parent-session',
        data: { childSessionId: 's1', keys: ['turn:turn-1', expect.anything()] },
      },
    ]);
    expect(events().find(({ type }) => type === 'pi.session.attributed.v1')).toMatchObject({
      data: { agent: { kind: 'subagent' }, parentSessionId: 'parent-session' },
    });
    expect(answers).toContain('session_shutdown: Promise');
  });

  it('shows what it knows with /ledger', async () => {
    const { notices } = await run({ events: [...prompt.slice(0, 2), ['/ledger', {}]] });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/^Session: 1 record · 100 in, 7 out, 3 cached · \$0\.0001\n/);
  });
});

describe('an extension with settings that nobody reads', () => {
  const configure = (settings: unknown) => {
    mkdirSync(join(home, 'ledger'));
    writeFileSync(join(home, 'ledger', 'config.json'), JSON.stringify(settings));
  };

  it('says so once, and records all the same', async () => {
    configure({ retentionDay: 30, frobnicate: 's3cr3t' });
    const { notices, stderr } = await run({ factories: 2, events: [...prompt, ...prompt] });
    expect(notices).toEqual([
      'pi-ledger ignores unknown settings: ' +
        '`retentionDay`: unknown; did you mean `retentionDays`? · `frobnicate`: unknown',
    ]);
    expect(stderr).toBe('');
    expect(events().length).toBeGreaterThan(0);
  });

  it('records nothing where it was probably told so', async () => {
    configure({ disable: true });
    const { notices } = await run();
    expect(notices).toEqual([
      'pi-ledger records nothing: its configuration is invalid: ' +
        '`disable`: unknown; did you mean `disabled`?',
    ]);
    expect(events()).toEqual([]);
  });
});

describe('an extension that cannot work', () => {
  const twice = [...prompt, ...prompt];

  it('says so once, in the interface, and keeps out of the way', async () => {
    const { answers, notices, stderr } = await run({
      factories: 2,
      events: twice,
      env: { PI_LEDGER_PORT: 'x', PI_LEDGER_URL: '' },
    });
    expect(answers).toEqual(['undefined']);
    expect(notices).toEqual([
      'pi-ledger records nothing: its configuration is invalid: ' +
        'PI_LEDGER_PORT is "x", expected a whole number from 0 to 65535.',
    ]);
    expect([stderr, events()]).toEqual(['', []]);
  });

  it('says so on stderr where there is no interface', async () => {
    const { notices, stderr } = await run({
      events: twice,
      hasUI: false,
      env: { PI_LEDGER_HOME: 'relative' },
    });
    expect(notices).toEqual([]);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('PI_LEDGER_HOME is "relative"'),
    ]);
  });

  it.each(['/proc/nowhere', '/dev/null/x'])(
    'cannot be made to hang by a home like %s',
    async (path) => {
      const { notices } = await run({ env: { PI_LEDGER_HOME: path } });
      expect(notices).toEqual([
        expect.stringMatching(/^pi-ledger records nothing: .* \(E[A-Z]+\)\.$/),
      ]);
    },
  );

  it.each([
    [{ PI_LEDGER_PORT: 'x', PI_LEDGER_URL: '' }, /records nothing: .*PI_LEDGER_PORT is "x"/],
    [{ PI_LEDGER_HOME: 'relative' }, /records nothing: .*PI_LEDGER_HOME/],
    [{ PI_LEDGER_HOME: '/dev/null/x' }, /records nothing: .*ENOTDIR/],
    [{ PI_LEDGER_DISABLED: '1' }, /records nothing: it is switched off \(PI_LEDGER_DISABLED\)/],
  ])('has a /ledger that says why, so that no model is asked: %j', async (env, reason) => {
    const { notices } = await run({
      events: [['/ledger', {}]],
      env: env as Record<string, string>,
    });
    expect(notices).toEqual([expect.stringMatching(reason)]);
  });

  it('that was switched off says nothing', async () => {
    writeFileSync(join(home, 'ledger'), 'a file in the way, and nobody looks');
    const { hooks, notices, stderr } = await run({ env: { PI_LEDGER_DISABLED: '1' } });
    expect([hooks, notices, stderr]).toEqual([[], [], '']);
  });
});
