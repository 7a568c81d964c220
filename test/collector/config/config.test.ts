import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { sqlite } from '../../../collector/stores/sqlite/driver.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { homeWith, problemsOf } from './homes.ts';

const directory = temporaryDirectory();

describe("the collector's configuration", () => {
  it('has defaults for everything', () => {
    const home = join(homedir(), '.pi-ledger');
    expect(loadCollectorConfig({ PI_LEDGER_HOME: join(directory, 'none') })).toEqual({
      home: join(directory, 'none'),
      store: { driver: sqlite, address: join(directory, 'none', 'ledger.db') },
      spoolDirectory: join(directory, 'none', 'spool'),
      address: '127.0.0.1',
      auth: 'auto',
      hosts: [],
      requestsPerMinuteMax: 6000,
      minimumUsers: 0,
      tls: null,
      port: 7717,
      role: 'all',
      kafka: null,
      cells: null,
      url: null,
      token: null,
      retentionDays: null,
      pullRequests: null,
      metricUsers: false,
      rules: { projects: [], billing: {}, labels: [] },
      quota: {},
      budgets: [],
      budgetsLeftOut: [],
      webhooks: [],
      mail: null,
      import: true,
      auditContent: false,
      telemetry: {
        signals: { traces: null, metrics: null, logs: null },
        resource: new Map(),
        previousNames: false,
        metricReader: { intervalMs: 60_000, timeoutMs: 30_000 },
        problems: [],
      },
      doubts: [],
    });
    if (process.env.HOME === undefined) return;
    expect(loadCollectorConfig({ PI_LEDGER_HOME: '' }).home).toBe(home);
  });

  it('comes from config.json, over which the environment wins', () => {
    const home = homeWith({
      port: 8000,
      url: 'http://ledger.example:80/',
      store: 'sqlite:/data/x.db',
      token: 'abc',
      flushOnExitMs: 5,
    });
    expect(loadCollectorConfig({ PI_LEDGER_HOME: home })).toMatchObject({
      port: 8000,
      url: 'http://ledger.example:80',
      store: { driver: sqlite, address: '/data/x.db' },
      token: 'abc',
    });
    expect(
      loadCollectorConfig({
        PI_LEDGER_HOME: home,
        PI_LEDGER_PORT: '0',
        PI_LEDGER_STORE: 'sqlite:/y.db',
        PI_LEDGER_URL: 'https://a.example',
      }),
    ).toMatchObject({
      port: 0,
      url: 'https://a.example',
      store: { driver: sqlite, address: '/y.db' },
    });
  });

  it('takes `auditContent` as the extension does', () => {
    expect(
      loadCollectorConfig({ PI_LEDGER_HOME: homeWith({ auditContent: true }) }).auditContent,
    ).toBe(true);
    expect(
      loadCollectorConfig({ PI_LEDGER_HOME: homeWith({ auditContent: false }) }).auditContent,
    ).toBe(false);
    expect(problemsOf({ PI_LEDGER_HOME: homeWith({ auditContent: 'yes' }) })).toContain(
      '"auditContent" in config.json is "yes", expected true or false',
    );
  });

  it('is frozen', () => {
    expect(Object.isFrozen(loadCollectorConfig({ PI_LEDGER_HOME: join(directory, 'none') }))).toBe(
      true,
    );
  });

  it('names all problems at once, where they stand and what was expected', () => {
    const home = homeWith({ port: 'many', address: 'everywhere', store: 'postgres://x' });
    const message = problemsOf({ PI_LEDGER_HOME: home, PI_LEDGER_URL: 'ftp://x' });
    expect(message).toContain('"port" in config.json is "many", expected a whole number');
    expect(message).toContain('"address" in config.json is "everywhere", expected an IP address');
    expect(message).toContain('"store" in config.json');
    expect(message).toContain('PI_LEDGER_URL');
  });

  it('takes the rules for folding', () => {
    const projects = [
      { match: 'shop-*', as: 'shop' },
      { match: '/home/ada/scratch/**', ignore: true },
    ];
    const home = homeWith({ projects, billing: { anthropic: 'subscription', openai: 'metered' } });
    expect(loadCollectorConfig({ PI_LEDGER_HOME: home }).rules).toEqual({
      projects,
      billing: { anthropic: 'subscription', openai: 'metered' },
      labels: [],
    });
  });

  it('takes the rules for labels and pull requests', () => {
    const labels = [
      { project: 'shop*', user: 'ada', branch: '(?<ticket>[A-Z]+-[0-9]+)', set: { team: 'pay' } },
      { set: { 'cost-centre': 'k.1' } },
    ];
    const pullRequests = '^pr/(?<number>[0-9]+)';
    const config = loadCollectorConfig({ PI_LEDGER_HOME: homeWith({ labels, pullRequests }) });
    expect(config.rules.labels).toEqual(labels);
    expect(config.pullRequests).toBe(pullRequests);
  });

  it.each([
    [{ labels: {} }, '"labels" in config.json is {}, expected a list of up to 200 rules'],
    [{ labels: ['a'] }, '"labels[0]" in config.json is "a", expected an object'],
    [
      { labels: [{}] },
      '"labels[0]" in config.json is {}, expected "set", or "branch" with a group',
    ],
    [{ labels: [{ branch: 'x' }] }, 'expected "set", or "branch" with a group'],
    [
      { labels: [{ set: { team: 'a' } }, { project: 'a [', set: { team: 'a' } }] },
      '"labels[1].project" in config.json is "a [", expected a glob',
    ],
    [{ labels: [{ user: 5, set: { team: 'a' } }] }, '"labels[0].user" in config.json is 5'],
    [
      { labels: [{ branch: '(?<ticket>a)(?=b)' }] },
      '"labels[0].branch" in config.json is "(?<ticket>a)(?=b)", expected a regular expression',
    ],
    [{ labels: [{ branch: '(?<Ticket>a)' }] }, 'whose groups are called like labels'],
    [{ labels: [{ set: [] }] }, '"labels[0].set" in config.json is [], expected up to 20 labels'],
    [
      { labels: [{ set: { Team: 'a' } }] },
      '"labels[0].set.Team" in config.json is "Team", expected a label of up to 50 of a-z',
    ],
    [{ labels: [{ set: { team: 'a\nb' } }] }, '"labels[0].set.team" in config.json is "a'],
    [
      { labels: [{ set: { team: 'a' }, model: 'm' }] },
      '"labels[0].model" in config.json is "m", expected no such key',
    ],
    [{ pullRequests: 'pr/([0-9]+)' }, 'expected a regular expression (RE2) for branches'],
    [{ pullRequests: '(?<number>' }, '"pullRequests" in config.json'],
  ])('names the bad label in %j', (file, problem) => {
    expect(problemsOf({ PI_LEDGER_HOME: homeWith(file) })).toContain(problem);
  });

  it.each([
    [{ projects: {} }, '"projects" in config.json is {}, expected a list'],
    [
      { projects: new Array(1_001).fill({ match: 'a', as: 'b' }) },
      'expected a list of up to 1000 rules',
    ],
    [{ projects: ['shop'] }, '"projects[0]" in config.json is "shop", expected an object'],
    [
      { projects: [{ match: 'a', as: 'b' }, { as: 'b' }] },
      '"projects[1].match" in config.json is nothing, expected a glob',
    ],
    [
      { projects: [{ match: 5, as: 'b' }] },
      '"projects[0].match" in config.json is 5, expected a glob',
    ],
    [{ projects: [{ match: '', as: 'b' }] }, '"projects[0].match" in config.json is ""'],
    [
      { projects: [{ match: 'shop [', as: 'b' }] },
      '"projects[0].match" in config.json is "shop ["',
    ],
    [
      { projects: [{ match: 'a', as: '' }] },
      '"projects[0].as" in config.json is "", expected a project\'s name',
    ],
    [
      { projects: [{ match: 'a', ignore: false }] },
      '"projects[0].ignore" in config.json is false, expected true',
    ],
    [
      { projects: [{ match: 'a' }] },
      '"projects[0]" in config.json is {"match":"a"}, expected "as" or "ignore"',
    ],
    [{ projects: [{ match: 'a', as: 'b', ignore: true }] }, 'expected "as" or "ignore", not both'],
    [
      { projects: [{ match: 'a', as: 'b', when: 'c' }] },
      '"projects[0].when" in config.json is "c", expected no such key',
    ],
    [
      { billing: ['anthropic'] },
      '"billing" in config.json is ["anthropic"], expected "metered" or "subscription" by provider',
    ],
    [
      { billing: { anthropic: 'free' } },
      '"billing.anthropic" in config.json is "free", expected "metered" or "subscription"',
    ],
  ])('names the bad rule in %j', (file, problem) => {
    expect(problemsOf({ PI_LEDGER_HOME: homeWith(file) })).toContain(problem);
  });

  it('says who may ask, and from where', () => {
    const tls = { certFile: '/etc/ledger/cert.pem', keyFile: '/etc/ledger/key.pem' };
    const file = {
      address: '::',
      auth: 'required',
      hosts: ['ledger.example', '10.0.0.5', '[fd00::1]'],
      requestsPerMinuteMax: 0,
      tls,
    };
    const home = homeWith(file);
    expect(loadCollectorConfig({ PI_LEDGER_HOME: home })).toMatchObject(file);
    const environment = {
      PI_LEDGER_ADDRESS: '0.0.0.0',
      PI_LEDGER_AUTH: 'auto',
      PI_LEDGER_HOSTS: 'a.example, b.example',
    };
    expect(loadCollectorConfig({ PI_LEDGER_HOME: home, ...environment })).toMatchObject({
      address: '0.0.0.0',
      auth: 'auto',
      hosts: ['a.example', 'b.example'],
    });
  });

  it.each([
    [{ address: 'ledger.example' }, '"address" in config.json'],
    [{ address: '127.0.0.1:80' }, '"address" in config.json'],
    [{ auth: 'none' }, '"auth" in config.json is "none", expected auto or required'],
    [{ auth: false }, '"auth" in config.json'],
    [{ hosts: ['ledger.example:7717'] }, '"hosts" in config.json'],
    [{ hosts: ['https://ledger.example'] }, '"hosts" in config.json'],
    [{ hosts: ['*'] }, '"hosts" in config.json'],
    [{ hosts: [''] }, '"hosts" in config.json'],
    [{ requestsPerMinuteMax: -1 }, '"requestsPerMinuteMax" in config.json'],
    [{ tls: true }, '"tls" in config.json'],
    [{ tls: { certFile: 'cert.pem', keyFile: '/key.pem' } }, '"tls" in config.json'],
    [{ tls: { certFile: '/cert.pem' } }, '"tls" in config.json'],
    [
      { tls: { certFile: '/cert.pem', keyFile: '/key.pem', password: 'x' } },
      '"tls" in config.json',
    ],
  ])('does not let anybody in by mistake: %j', (file, problem) => {
    expect(problemsOf({ PI_LEDGER_HOME: homeWith(file) })).toContain(problem);
  });

  it.each(['-1', '65536', '80.5', '0x50', 'http'])('refuses the port %s', (port) => {
    expect(problemsOf({ PI_LEDGER_HOME: join(directory, 'none'), PI_LEDGER_PORT: port })).toContain(
      'PI_LEDGER_PORT',
    );
  });

  it('never shows a secret', () => {
    const home = homeWith({ token: 'se cret', url: 'http://user:hunter2@x' });
    const message = problemsOf({ PI_LEDGER_HOME: home });
    expect(message).not.toMatch(/se cret|hunter2/);
    expect(problemsOf({ PI_LEDGER_HOME: homeWith('{"token": "secret" oops') })).not.toContain(
      'secret',
    );
  });

  it.each(['[]', '"x"', 'null', '{'])('refuses the file %s', (file) => {
    expect(problemsOf({ PI_LEDGER_HOME: homeWith(file) })).toContain('config.json is not');
  });

  it('refuses a relative home', () => {
    expect(problemsOf({ PI_LEDGER_HOME: 'here' })).toContain(
      'PI_LEDGER_HOME is "here", expected an absolute path',
    );
  });
});
