/**
 * All settings: the keys of `config.json`. Types, readers, messages and the tables of the
 * documentation (`npm run settings`) come from this list, so a new setting is an entry here.
 *
 * Plain data without a library: the extension bundles it and reads it at the host's start.
 */
import type { Setting } from './setting.ts';
import { spendSettings } from './spend-settings.ts';

export const settings = {
  port: {
    readBy: 'both',
    variable: 'PI_LEDGER_PORT',
    type: { is: 'wholeNumber', min: 0, max: 65_535 },
    default: 7717,
    zero: 'any free port; programs of this home find it',
    meaning: "the collector's port",
  },
  address: {
    readBy: 'collector',
    variable: 'PI_LEDGER_ADDRESS',
    type: { is: 'address' },
    default: '127.0.0.1',
    meaning:
      'where the collector listens; on any address but loopback it requires tokens ' +
      '([SECURITY.md](SECURITY.md))',
    isGuard: true,
  },
  auth: {
    readBy: 'collector',
    variable: 'PI_LEDGER_AUTH',
    type: { is: 'choice', of: ['auto', 'required'] },
    default: 'auto',
    meaning:
      '`required`: the collector requires tokens on loopback too, as it should behind a proxy; ' +
      'with `hosts` it always does',
    isGuard: true,
  },
  hosts: {
    readBy: 'collector',
    variable: 'PI_LEDGER_HOSTS',
    type: { is: 'hosts' },
    default: [],
    meaning:
      'host names that the collector answers to, besides the local ones: `["ledger.example"]`, ' +
      'or separated by commas',
    isGuard: true,
  },
  tls: {
    readBy: 'collector',
    type: { is: 'tlsFiles' },
    default: null,
    meaning: '`{ "certFile": ..., "keyFile": ... }`: PEM files, for https',
    isSecret: true,
    isGuard: true,
  },
  requestsPerMinuteMax: {
    readBy: 'collector',
    type: { is: 'wholeNumber', min: 0, max: 10_000_000 },
    unit: 'requests a minute',
    default: 6_000,
    zero: 'no limit',
    meaning: 'limit for each token',
    isGuard: true,
  },
  minimumUsers: {
    readBy: 'collector',
    type: { is: 'wholeNumber', min: 0, max: 1_000 },
    unit: 'users',
    default: 0,
    zero: 'no floor',
    meaning:
      'the smallest group that tokens without `admin` and without `--only-own` are told about ' +
      '([SECURITY.md](SECURITY.md#small-groups))',
    isGuard: true,
  },
  url: {
    readBy: 'both',
    variable: 'PI_LEDGER_URL',
    type: { is: 'url' },
    default: null,
    defaultText: 'http://127.0.0.1:<port>',
    meaning:
      'where the extension sends events, and commands connect. The program there must prove that ' +
      'it can read this home or knows the token ([SECURITY.md](SECURITY.md#who-is-told-anything))',
    isSecret: true,
  },
  token: {
    readBy: 'both',
    variable: 'PI_LEDGER_TOKEN',
    type: { is: 'token' },
    default: null,
    meaning:
      'bearer token for that address; required for a collector of another home, machine or user, ' +
      "even through a tunnel or a container's port",
    isSecret: true,
  },
  agentName: {
    readBy: 'extension',
    variable: 'PI_LEDGER_AGENT_NAME',
    type: { is: 'name' },
    default: null,
    meaning: 'the name of the main agent here (`nightly-review`); subagents keep their own',
    leavesOutWrong: true,
  },
  store: {
    readBy: 'collector',
    variable: 'PI_LEDGER_STORE',
    type: { is: 'store' },
    default: null,
    defaultText: 'sqlite:<home>/ledger.db',
    meaning:
      'the store: `sqlite:PATH`, or `mongodb://...` for a team ' +
      '(MongoDB 6 and newer; [its layout](docs/mongodb.md))',
    isSecret: true,
    isGuard: true,
  },
  role: {
    readBy: 'collector',
    variable: 'PI_LEDGER_ROLE',
    type: { is: 'choice', of: ['all', 'gateway', 'worker'] },
    default: 'all',
    meaning:
      'what a collector does: `all`; or, with Kafka in between, `gateway` (takes events in) and ' +
      '`worker` (appends them, and answers) ([docs/kafka.md](docs/kafka.md))',
    isGuard: true,
  },
  kafka: {
    readBy: 'collector',
    variable: 'PI_LEDGER_KAFKA',
    type: { is: 'kafka' },
    default: null,
    meaning:
      'the brokers between gateways and workers: `kafka://HOST:PORT,HOST:PORT/PREFIX`, ' +
      'with user and password before the hosts ([docs/kafka.md](docs/kafka.md))',
    isSecret: true,
    isGuard: true,
  },
  cells: {
    readBy: 'collector',
    variable: 'PI_LEDGER_CELLS',
    type: { is: 'wholeNumber', min: 1, max: 512 },
    unit: 'cells',
    default: null,
    meaning:
      'into how many cells workers divide a new ledger in MongoDB, one for each partition in ' +
      'Kafka (default: one; [docs/kafka.md](docs/kafka.md#cells))',
  },
  disabled: {
    readBy: 'extension',
    variable: 'PI_LEDGER_DISABLED',
    type: { is: 'switch' },
    default: false,
    meaning: 'the extension records nothing and does not mention it',
    isGuard: true,
  },
  import: {
    readBy: 'collector',
    variable: 'PI_LEDGER_IMPORT',
    type: { is: 'switch' },
    default: true,
    meaning: 'a running collector imports session files from where pi and omp keep them',
    isGuard: true,
  },
  auditContent: {
    readBy: 'both',
    type: { is: 'switch' },
    default: false,
    meaning:
      'summary texts, and the instructions for them, are recorded and imported too, ' +
      'with secrets removed ([how](docs/context.md#texts))',
  },
  retentionDays: {
    readBy: 'collector',
    type: { is: 'wholeNumber', min: 1, max: 36_500 },
    unit: 'days',
    default: null,
    meaning:
      'a running collector seals events older than this, once a day; by default nothing is ever ' +
      'deleted. Counted back from the seventh newest day of work, so that a wrong clock deletes ' +
      'nothing. Choose more than any machine stays offline: events that arrive later do not count',
  },
  ...spendSettings,
  metricUsers: {
    readBy: 'collector',
    type: { is: 'switch' },
    default: false,
    meaning:
      'metrics that are exported have the attribute `pi.user`: one series for each user, in ' +
      'sight of everybody who sees the metrics',
  },
  footer: {
    readBy: 'extension',
    type: { is: 'switch' },
    default: false,
    meaning:
      "the agent's footer shows what the session and today cost, and how far it is to the next " +
      'compaction',
    leavesOutWrong: true,
  },
  flushOnExitMs: {
    readBy: 'extension',
    type: { is: 'wholeNumber', min: 0, max: 60_000 },
    unit: 'ms',
    default: 1_000,
    zero: 'no wait',
    meaning: "how long the agent's exit may wait to send events if no collector reads the spool",
    leavesOutWrong: true,
  },
  flushIntervalMs: {
    readBy: 'extension',
    type: { is: 'wholeNumber', min: 0, max: 3_600_000 },
    unit: 'ms',
    default: 1_000,
    zero: 'at once',
    meaning: 'how soon after an event it is sent',
    leavesOutWrong: true,
  },
  spoolBytesMax: {
    readBy: 'extension',
    type: { is: 'wholeNumber', min: 1024 * 1024, max: Number.MAX_SAFE_INTEGER },
    unit: 'bytes',
    default: 256 * 1024 * 1024,
    meaning:
      'limit of the spool, for all processes together; ' +
      'beyond it, new events are dropped and counted',
    leavesOutWrong: true,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type Settings = typeof settings;
export type SettingKey = keyof Settings;

/** In the order of the documentation. */
export const settingList: readonly (readonly [SettingKey, Setting])[] = Object.entries(
  settings,
) as [SettingKey, Setting][];

/**
 * Variables that are no settings: the location of the settings, and what a parent process tells its
 * subagents.
 */
export const variablesWithoutKey: readonly string[] = ['PI_LEDGER_HOME', 'PI_LEDGER_PARENT'];
