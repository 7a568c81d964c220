import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressText, readConfig } from '../../extension/config.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pi-ledger-config-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const write = (settings: unknown) =>
  writeFileSync(
    join(home, 'config.json'),
    typeof settings === 'string' ? settings : JSON.stringify(settings),
  );
const read = (environment: Record<string, string> = {}) =>
  readConfig({ PI_LEDGER_HOME: home, ...environment });
const message = (result: ReturnType<typeof readConfig>) =>
  result.outcome === 'broken' ? result.message : `it is ${result.outcome}`;
const leftOut = (result: ReturnType<typeof readConfig>) =>
  result.outcome === 'ready' ? result.leftOut.join() : `it is ${result.outcome}`;

describe('readConfig', () => {
  it('has defaults for everything, and freezes the result', () => {
    const result = read();
    expect(result).toEqual({
      outcome: 'ready',
      config: {
        home,
        spoolDirectory: join(home, 'spool'),
        url: 'http://127.0.0.1:7717',
        isUrlNamed: false,
        token: null,
        flushOnExitMs: 1_000,
        flushIntervalMs: 1_000,
        spoolBytesMax: 268_435_456,
        auditContent: false,
        footer: false,
        agentName: null,
        runBudget: null,
        stopsRuns: null,
      },
      doubts: [],
      leftOut: [],
    });
    expect(result.outcome === 'ready' && Object.isFrozen(result.config)).toBe(true);
  });

  it('keeps its files in the home directory by default', () => {
    const result = readConfig({ PI_LEDGER_PORT: '1234' });
    expect(result.outcome === 'ready' && result.config.home).toBe(join(homedir(), '.pi-ledger'));
  });

  it('reads config.json, over which the environment wins', () => {
    write({ port: 8000, token: 'from-file', flushOnExitMs: 0, store: 'sqlite:/x' });
    expect(read()).toMatchObject({
      config: { url: 'http://127.0.0.1:8000', token: 'from-file', flushOnExitMs: 0 },
    });
    const environment = { PI_LEDGER_PORT: '9000', PI_LEDGER_TOKEN: 'from-environment' };
    expect(read(environment)).toMatchObject({
      config: { url: 'http://127.0.0.1:9000', token: 'from-environment' },
    });
    expect(read({ PI_LEDGER_PORT: '', PI_LEDGER_TOKEN: '' })).toMatchObject({
      config: { url: 'http://127.0.0.1:8000', token: 'from-file' },
    });
    expect(read({ PI_LEDGER_URL: 'https://ledger.example.org/team/' })).toMatchObject({
      config: { url: 'https://ledger.example.org/team', isUrlNamed: true },
    });
  });

  it.each([
    [{}, { PI_LEDGER_DISABLED: '1' }, 'PI_LEDGER_DISABLED'],
    [{}, { PI_LEDGER_DISABLED: 'true' }, 'PI_LEDGER_DISABLED'],
    [{ disabled: true }, {}, 'config.json'],
    [{ disabled: true, port: 'nonsense' }, {}, 'config.json'],
  ])('is off without a word with %j and %j', (settings, environment, by) => {
    write(settings);
    expect(read(environment as Record<string, string>)).toEqual({
      outcome: 'disabled',
      by: expect.stringContaining(by),
    });
  });

  it.each(['0', 'false'])(
    'is on with PI_LEDGER_DISABLED=%s, whatever the file says of it',
    (value) => {
      write({ disabled: true });
      expect(read({ PI_LEDGER_DISABLED: value }).outcome).toBe('ready');
    },
  );

  it('names all problems at once, with key and expectation', () => {
    write({
      flushOnExitMs: -1,
      flushIntervalMs: 1.5,
      spoolBytesMax: '5 MB',
      disabled: 'perhaps',
      token: '',
      auditContent: 'yes',
    });
    const text = message(read({ PI_LEDGER_PORT: '70000', PI_LEDGER_URL: 'ftp://ledger' }));
    for (const part of [
      'PI_LEDGER_PORT is "70000", expected a whole number from 0 to 65535',
      'PI_LEDGER_URL is not valid, expected an http or https address',
      '"flushOnExitMs" in config.json is -1, expected a whole number from 0 to 60000',
      '"flushIntervalMs" in config.json is 1.5',
      '"spoolBytesMax" in config.json is "5 MB"',
      '"disabled" in config.json is "perhaps", expected true or false',
      '"token" in config.json is not valid, ' +
        'expected up to 1000 visible ASCII characters without blanks',
      '"auditContent" in config.json is "yes", expected true or false',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('takes a name for the agent here, one line of it', () => {
    write({ agentName: 'nightly review' });
    expect(read()).toMatchObject({ config: { agentName: 'nightly review' } });
    expect(read({ PI_LEDGER_AGENT_NAME: 'Prüfer 2' })).toMatchObject({
      config: { agentName: 'Prüfer 2' },
    });
    const expected = 'expected a name of up to 100 characters, without control characters';
    for (const name of ['a\nb', '\u001b[2J', '\u202eevil', 'x'.repeat(101)])
      expect(leftOut(read({ PI_LEDGER_AGENT_NAME: name }))).toContain(expected);
    expect(read({ PI_LEDGER_AGENT_NAME: ' x ' })).toMatchObject({ config: { agentName: 'x' } });
    write({ agentName: 7 });
    expect(leftOut(read())).toContain(`"agentName" in config.json is 7, ${expected}`);
  });

  it.each(['{"port":', '[]', 'null', '"x"'])('does not guess what %s may mean', (text) => {
    write(text);
    expect(message(read())).toContain('config.json is not');
  });

  it('says in words when its file cannot be read', () => {
    mkdirSync(join(home, 'config.json'));
    expect(message(read())).toContain('config.json cannot be read: it is a folder, not a file');
    const file = join(home, 'file');
    writeFileSync(file, '');
    expect(message(readConfig({ PI_LEDGER_HOME: join(file, 'home') }))).toContain(
      'config.json cannot be read: a part of this path is a file, not a folder',
    );
  });

  it('does not take a link that leads nowhere for no settings', () => {
    symlinkSync(join(home, 'not mounted'), join(home, 'config.json'));
    expect(message(read())).toContain(
      'config.json cannot be read: it is a link that leads nowhere',
    );
  });

  it('lists what else cannot be read beside a file that cannot', () => {
    write('{');
    const text = message(read({ PI_LEDGER_RUN_BUDGET: '5 dollars' }));
    expect(text).toContain('config.json is not JSON; PI_LEDGER_RUN_BUDGET is "5 dollars"');
  });

  it('says no secret', () => {
    write('{"token": "s3cr3t-in-file", ');
    const text = message(
      read({ PI_LEDGER_TOKEN: 's3cr3t with blanks', PI_LEDGER_URL: 'http://ada:s3cr3t@host' }),
    );
    expect(text).toContain('PI_LEDGER_TOKEN');
    expect(text).toContain('PI_LEDGER_URL');
    expect(text).not.toContain('s3cr3t');
  });

  it('wants an absolute home', () => {
    expect(message(readConfig({ PI_LEDGER_HOME: 'ledger' }))).toContain(
      'PI_LEDGER_HOME is "ledger", expected an absolute path',
    );
  });

  it('ignores unknown settings, and names them', () => {
    write({ retentionDay: 30, auht: 'required', flushOnExitMs: 5 });
    expect(read({ PI_LEDGER_TOKN: 'x' })).toMatchObject({
      outcome: 'ready',
      config: { flushOnExitMs: 5 },
      doubts: [
        '`retentionDay`: unknown; did you mean `retentionDays`?',
        '`auht`: unknown; did you mean `auth`?',
        '`PI_LEDGER_TOKN`: unknown; did you mean `PI_LEDGER_TOKEN`?',
      ],
    });
  });

  it('does not record where `disabled` is probably meant', () => {
    write({ disable: true, frobnicate: 1 });
    expect(message(read())).toContain(
      '`disable`: unknown; did you mean `disabled`?; `frobnicate`: unknown',
    );
    write({});
    expect(message(read({ PI_LEDGER_DISABLE: '1' }))).toContain(
      '`PI_LEDGER_DISABLE`: unknown; did you mean `PI_LEDGER_DISABLED`?',
    );
  });

  it('does not go through a file of another program key by key', () => {
    write(Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`key${index}`, index])));
    expect(message(read())).toMatch(/config\.json has more than 200 keys$/);
  });

  it('has no address with port 0, and shows that', () => {
    const result = read({ PI_LEDGER_PORT: '0' });
    expect(result).toMatchObject({ config: { url: null, isUrlNamed: false } });
    expect(result.outcome === 'ready' && addressText(result.config)).toBe(
      'http://127.0.0.1 (any port)',
    );
    expect(addressText({ url: 'https://a.example' })).toBe('https://a.example');
  });
});
