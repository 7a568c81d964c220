/** `pi-ledger token` on a store without a collector, and through a running one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../../collector/cli/main.ts';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { commandLines } from '../../support/command-lines.ts';
import { exampleEvents } from '../../support/events.ts';
import { batchType } from '../../support/ledger.ts';

const commandLine = commandLines();

const post = (url: string, token: string, first = 1) =>
  fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': batchType, authorization: `Bearer ${token}` },
    body: JSON.stringify(exampleEvents(first, 2)),
  });

describe('a collector that others can reach', () => {
  it.each([{ address: '0.0.0.0' }, { auth: 'required' }, { hosts: ['ledger.example'] }])(
    'does not start without a token, and says how to make one: %o',
    async (settings) => {
      const { start, run } = commandLine();
      await expect(start(settings)).rejects.toMatchObject({
        code: 'tokens_needed',
        message: expect.stringContaining('pi-ledger token create --user'),
      });
      const made = await run(
        'token',
        'create',
        '--user',
        'ada',
        '--scope',
        'ingest',
        '--scope',
        'read',
      );
      expect(made.code).toBe(0);
      const { url } = await start(settings);
      expect((await fetch(`${url}/v1/usage`)).status).toBe(401);
      expect((await post(url, made.printed)).status).toBe(200);
    },
  );

  it('does not start if all tokens are revoked or expired', async () => {
    const { start, run } = commandLine();
    const { printed } = await run('token', 'create', '--user', 'ada', '--scope', 'read', '--json');
    await run('token', 'revoke', JSON.parse(printed).id);
    await expect(start({ auth: 'required' })).rejects.toMatchObject({ code: 'tokens_needed' });
  });

  it('keeps its tokens after a restart, and draws a new machine token', async () => {
    const { start, run, env } = commandLine();
    const { printed } = await run('token', 'create', '--user', 'ada', '--scope', 'ingest');
    const { readCollectorFile } = await import('../../../../collector/process/collector-file.ts');
    const tokens: (string | null | undefined)[] = [];
    for (const first of [1, 3]) {
      const collector = await start({ auth: 'required' });
      expect((await post(collector.url, printed, first)).status).toBe(200);
      tokens.push(readCollectorFile(env.PI_LEDGER_HOME ?? '')?.token);
      expect((await post(collector.url, tokens[0] ?? '', first)).status).toBe(
        first === 1 ? 200 : 401,
      );
      await collector.stop();
    }
    expect(tokens[0]).not.toBe(tokens[1]);
  });

  it('makes the file with its token readable for its owner only', async () => {
    const { start, run, env } = commandLine();
    await run('token', 'create', '--user', 'ada', '--scope', 'ingest');
    await start({ auth: 'required' });
    const { statSync } = await import('node:fs');
    expect(statSync(join(env.PI_LEDGER_HOME ?? '', 'collector.json')).mode & 0o777).toBe(0o600);
  });
});

describe('pi-ledger token', () => {
  it('prints only the token to standard output, so that it can be piped', async () => {
    const { run } = commandLine();
    const { code, printed, complained } = await run(
      'token',
      'create',
      '--user',
      'ada',
      '--scope',
      'read',
      '--only-own',
      '--expires',
      '90d',
    );
    expect([code, printed]).toEqual([0, expect.stringMatching(/^pil_\S{43}$/)]);
    expect(complained).toContain('for ada: read (own only)');
    expect(complained).not.toContain(printed);
    const listed = await run('token', 'list');
    expect(listed.printed).toMatch(/ada\s+read \(own only\)\s+valid/);
    expect(listed.printed).not.toContain('pil_');
    const days =
      (Date.parse(JSON.parse((await run('token', 'list', '--json')).printed).rows[0].expiresAt) -
        Date.now()) /
      86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThan(90.1);
  });

  it('prints a ready config on a terminal, and with --json', async () => {
    const { run, env } = commandLine();
    const create = ['token', 'create', '--user', 'ada', '--scope', 'read'];
    env.PI_LEDGER_HOSTS = 'ledger.example';
    const made = JSON.parse((await run(...create, '--json')).printed);
    expect(made.config).toEqual({ url: 'https://ledger.example', token: made.token });
    const printed: string[] = [];
    await main(create, {
      env,
      columns: 80,
      colour: false,
      now: () => new Date(),
      print: (line) => printed.push(line),
      complain: () => undefined,
    });
    const [token = '', config = ''] = printed;
    expect(JSON.parse(config)).toEqual({ url: 'https://ledger.example', token });
    writeFileSync(join(env.PI_LEDGER_HOME ?? '', 'config.json'), config);
    expect(loadCollectorConfig(env)).toMatchObject({ url: 'https://ledger.example', token });
  });

  it('uses a running collector, with and without tokens, and revokes at once', async () => {
    for (const settings of [{}, { auth: 'required' }]) {
      const { run, start } = commandLine();
      await run('token', 'create', '--user', 'first', '--scope', 'read');
      const { url } = await start(settings);
      const made = JSON.parse(
        (await run('token', 'create', '--user', 'ada', '--scope', 'ingest', '--json')).printed,
      );
      const usage = (token: string) =>
        fetch(`${url}/v1/tokens`, { headers: { authorization: `Bearer ${token}` } });
      expect((await post(url, made.token)).status).toBe(200);
      expect((await usage(made.token)).status).toBe(403);
      expect(await run('token', 'revoke', made.id)).toMatchObject({ code: 0 });
      expect((await post(url, made.token)).status).toBe('auth' in settings ? 401 : 200);
      expect((await run('token', 'list')).printed).toMatch(/ada\s+ingest\s+revoked/);
    }
  });

  it("lets this machine's commands ask a collector that requires tokens", async () => {
    const { run, start } = commandLine();
    const { printed } = await run('token', 'create', '--user', 'ada', '--scope', 'ingest');
    const { url } = await start({ auth: 'required' });
    await post(url, printed);
    for (const command of [
      ['report'],
      ['sessions'],
      ['rebuild', 'sessions'],
      ['rejected', 'list'],
      ['doctor'],
    ])
      expect([command, (await run(...command)).code]).toEqual([
        command,
        command[0] === 'doctor' ? expect.any(Number) : 0,
      ]);
    expect(JSON.parse((await run('report', '--json')).printed).total.records).toBe(2);
  });

  it.each([
    [['create', '--user', 'ada'], '--scope'],
    [['create', '--scope', 'read'], '--user'],
    [['create', '--user', 'ada', '--scope', 'all'], '--scope: expected one of ingest, read, admin'],
    [
      ['create', '--user', 'ada', '--scope', 'read', '--expires', 'soon'],
      '--expires: expected 90d',
    ],
    [
      ['create', '--user', 'ada', '--scope', 'read', '--expires', '2027-02-30'],
      '--expires: expected 90d',
    ],
    [['create', '--user', 'ada', '--scope', 'read', '--expires', '2020-01-01'], 'expiresAt'],
    [['create', '--user', 'ada', '--scope', 'ingest', '--only-own'], 'require the scope read'],
    [['revoke', '000000000000'], 'no token with this id'],
    [['revoke'], 'id'],
  ])('says what is wrong with %j', async (argv, said) => {
    const { code, printed, complained } = await commandLine().run('token', ...argv);
    expect(code).toBe(said.startsWith('no token') ? 1 : 2);
    expect(complained).toContain(said);
    expect(printed).toBe('');
  });
});
