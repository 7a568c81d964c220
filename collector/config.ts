/**
 * The collector's settings: `config.json` in PI_LEDGER_HOME, over which the environment wins. The file is shared with the extension, so keys
 * that are not read here are left to it.
 *
 * Every problem is found in one go and named with where it stands and what was expected; none is repaired in silence.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readRegularFile } from '@pi-ledger/extension/spool/regular-file';
import {
  type AccessConfig,
  accessDefaults,
  addressExpected,
  authExpected,
  hostsExpected,
  readAddress,
  readAuth,
  readHosts,
  readRequestsPerMinuteMax,
  readTlsFiles,
  requestsExpected,
  type TlsFiles,
  tlsExpected,
} from './access-config.ts';
import { LedgerError } from './errors.ts';
import { readFoldRules } from './fold-rules.ts';
import type { FoldRules } from './projections/rules.ts';
import { readStoreLocation, type StoreLocation, storeLocationExpected } from './store-location.ts';

export interface CollectorConfig extends AccessConfig {
  /** PI_LEDGER_HOME, default `~/.pi-ledger`. */
  readonly home: string;
  /** PI_LEDGER_STORE or `store`: `sqlite:PATH` or `mongodb://...`; default `ledger.db` in the home. */
  readonly store: StoreLocation;
  /** `spool` in the home. */
  readonly spoolDirectory: string;
  /** PI_LEDGER_PORT or `port`, default 7717. 0: any that is free. */
  readonly port: number;
  /** PI_LEDGER_URL or `url`: the collector that commands ask. Null: the one that runs on this home, or the store itself. */
  readonly url: string | null;
  /** PI_LEDGER_TOKEN or `token`: what commands show to a remote collector. */
  readonly token: string | null;
  /** PI_LEDGER_IMPORT or `import`: whether a running collector imports session files from where hosts keep them. Default true. */
  readonly import: boolean;
  /** `auditContent`: texts of summaries are imported too, without secrets, as the extension sends them. Default false. */
  readonly auditContent: boolean;
  /** `retentionDays`: a running collector seals what is older, once a day. Null, the default: nothing is ever deleted. */
  readonly retentionDays: number | null;
  /** `projects` and `billing`: what the views say of projects and of how providers are paid. */
  readonly rules: FoldRules;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const portDefault = 7717;

/** Frozen. Throws `config_invalid` with one message that names all problems. */
export function loadCollectorConfig(environment: Environment): CollectorConfig {
  const problems: string[] = [];
  const home = readHome(environment, problems);
  const file = readFile(join(home, 'config.json'), problems);
  const find = createFinder(environment, file);
  const complain = (key: string, value: unknown, expected: string): void => {
    problems.push(`${nameInFile(key)} is ${shown(value)}, expected ${expected}`);
  };
  const check = <Value>(found: Found, fallback: Value, read: (value: unknown) => Value | undefined, expected: string): Value => {
    if (found.value === undefined || found.value === null) return fallback;
    const value = read(found.value);
    if (value !== undefined) return value;
    problems.push(`${found.name} is ${found.isSecret ? 'not valid' : shown(found.value)}, expected ${expected}`);
    return fallback;
  };
  const config: CollectorConfig = {
    home,
    store: check<StoreLocation>(
      find('store', 'PI_LEDGER_STORE'),
      { kind: 'sqlite', path: join(home, 'ledger.db') },
      readStoreLocation,
      storeLocationExpected,
    ),
    spoolDirectory: join(home, 'spool'),
    address: check(find('address', 'PI_LEDGER_ADDRESS'), accessDefaults.address, readAddress, addressExpected),
    auth: check(find('auth', 'PI_LEDGER_AUTH'), accessDefaults.auth, readAuth, authExpected),
    hosts: check(find('hosts', 'PI_LEDGER_HOSTS'), accessDefaults.hosts, readHosts, hostsExpected),
    requestsPerMinuteMax: check(
      find('requestsPerMinuteMax', null),
      accessDefaults.requestsPerMinuteMax,
      readRequestsPerMinuteMax,
      requestsExpected,
    ),
    tls: check<TlsFiles | null>(find('tls', null), accessDefaults.tls, readTlsFiles, tlsExpected),
    port: check(find('port', 'PI_LEDGER_PORT'), portDefault, readPort, 'a whole number from 0 to 65535'),
    url: check<string | null>(
      find('url', 'PI_LEDGER_URL'),
      null,
      readUrl,
      'an http or https address without user, password, query or fragment',
    ),
    token: check<string | null>(find('token', 'PI_LEDGER_TOKEN'), null, readToken, 'up to 1000 visible ASCII characters without blanks'),
    import: check(find('import', 'PI_LEDGER_IMPORT'), true, readSwitch, 'true or false (1 or 0 in the environment)'),
    auditContent: check(find('auditContent', null), false, readSwitch, 'true or false'),
    retentionDays: check<number | null>(find('retentionDays', null), null, readRetentionDays, 'a whole number of days from 1 to 36500'),
    rules: readFoldRules(file, complain),
  };
  if (problems.length > 0)
    throw new LedgerError('config_invalid', { message: `pi-ledger is not configured right: ${problems.join('; ')}.` });
  return Object.freeze(config);
}

interface Found {
  readonly name: string;
  readonly value: unknown;
  readonly isSecret: boolean;
}

/** An empty variable is an unset one. */
function createFinder(environment: Environment, file: Readonly<Record<string, unknown>>): (key: string, variable: string | null) => Found {
  return (key, variable) => {
    const isSecret = key === 'token' || key === 'url' || key === 'store';
    const value = variable === null ? undefined : environment[variable];
    return value ? { name: String(variable), value, isSecret } : { name: nameInFile(key), value: file[key], isSecret };
  };
}

function nameInFile(key: string): string {
  return `"${key}" in config.json`;
}

function readHome(environment: Environment, problems: string[]): string {
  const fallback = join(homedir(), '.pi-ledger');
  const home = environment.PI_LEDGER_HOME || fallback;
  if (isAbsolute(home)) return home;
  problems.push(`PI_LEDGER_HOME is ${shown(home)}, expected an absolute path`);
  return fallback;
}

/** Of `config.json`; the rules of a large team are some kB. */
const fileBytesMax = 1024 * 1024;

function readFile(path: string, problems: string[]): Readonly<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(readRegularFile(path, { bytesMax: fileBytesMax }));
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content as Record<string, unknown>;
    problems.push(`${path} is not a JSON object`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A parser's message quotes what it read, and that may be the token.
    if (code !== 'ENOENT') problems.push(code === undefined ? `${path} is not JSON` : `${path} cannot be read (${code})`);
  }
  return {};
}

function readPort(value: unknown): number | undefined {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
  return typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : undefined;
}

function readUrl(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== '') return undefined;
  return String(value).replace(/\/+$/, '');
}

function readToken(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]{1,1000}$/.test(value) ? value : undefined;
}

function readRetentionDays(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 36_500 ? value : undefined;
}

function readSwitch(value: unknown): boolean | undefined {
  if (value === true || value === '1' || value === 'true') return true;
  return value === false || value === '0' || value === 'false' ? false : undefined;
}

/** The value as it stands there, cut short. */
function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
