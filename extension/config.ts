/**
 * The extension's settings: `config.json` in PI_LEDGER_HOME, over which the environment wins. The file is shared with the collector, so keys
 * that are not read here are left to it.
 *
 * Every problem is found in one go and named with its key and with what was expected; none is repaired in silence.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { asObject, type JsonObject } from './record/fields.ts';
import { withoutCredentials } from './redact.ts';
import { readRegularFile } from './spool/regular-file.ts';

export interface Config {
  readonly home: string;
  readonly spoolDirectory: string;
  /** Of the collector. */
  readonly url: string;
  /** The user wrote it: it is not the default address. */
  readonly isUrlNamed: boolean;
  readonly token: string | null;
  /** How long the host's exit may wait for the last events to be sent. 0: not at all. */
  readonly flushOnExitMs: number;
  /** From an event to the attempt to send it. 0: at once. */
  readonly flushIntervalMs: number;
  /** Of all processes together; new events are dropped and counted beyond it. */
  readonly spoolBytesMax: number;
  /** Texts of summaries and the instructions given for them travel too, without secrets. */
  readonly auditContent: boolean;
  /** What the main agent here is called; null: nothing. */
  readonly agentName: string | null;
}

export type ConfigResult =
  | { readonly outcome: 'ready'; readonly config: Config }
  /** `by`: the setting that says so. */
  | { readonly outcome: 'disabled'; readonly by: string }
  /** One message that names all problems. */
  | { readonly outcome: 'broken'; readonly message: string };

export type Environment = Readonly<Record<string, string | undefined>>;

export const configDefaults = { port: 7717, flushOnExitMs: 1000, flushIntervalMs: 1000, spoolBytesMax: 256 * 1024 * 1024 } as const;

/** Contract: never throws. */
export function readConfig(environment: Environment): ConfigResult {
  const problems: string[] = [];
  const home = readHome(environment, problems);
  const settings = settingsOf(environment, home === null ? {} : readFile(join(home, 'config.json'), problems), problems);
  const disabled = settings.boolean('disabled', 'PI_LEDGER_DISABLED');
  if (disabled)
    return { outcome: 'disabled', by: environment.PI_LEDGER_DISABLED ? 'PI_LEDGER_DISABLED' : `"disabled" in ${home}/config.json` };
  const port = settings.integer('port', 'PI_LEDGER_PORT', configDefaults.port, 1, 65_535);
  const config = {
    home: home ?? '',
    spoolDirectory: join(home ?? '', 'spool'),
    url: settings.url('url', 'PI_LEDGER_URL', `http://127.0.0.1:${port}`),
    isUrlNamed: settings.isSet('url', 'PI_LEDGER_URL'),
    token: settings.token('token', 'PI_LEDGER_TOKEN'),
    flushOnExitMs: settings.integer('flushOnExitMs', null, configDefaults.flushOnExitMs, 0, 60_000),
    flushIntervalMs: settings.integer('flushIntervalMs', null, configDefaults.flushIntervalMs, 0, 3_600_000),
    spoolBytesMax: settings.integer('spoolBytesMax', null, configDefaults.spoolBytesMax, 1024 * 1024, Number.MAX_SAFE_INTEGER),
    auditContent: settings.boolean('auditContent', null),
    agentName: settings.name('agentName', 'PI_LEDGER_AGENT_NAME'),
  };
  if (problems.length > 0) return { outcome: 'broken', message: `it is not configured right: ${problems.join('; ')}` };
  return { outcome: 'ready', config: Object.freeze(config) };
}

function readHome(environment: Environment, problems: string[]): string | null {
  const home = environment.PI_LEDGER_HOME || join(homedir(), '.pi-ledger');
  if (isAbsolute(home)) return home;
  problems.push(`PI_LEDGER_HOME is ${shown(home)}, expected an absolute path`);
  return null;
}

/** Of `config.json`, for which a few hundred are many. */
const fileBytesMax = 1024 * 1024;

function readFile(path: string, problems: string[]): JsonObject {
  try {
    const settings = asObject(JSON.parse(readRegularFile(path, { bytesMax: fileBytesMax })));
    if (settings === null) problems.push(`${path} is not a JSON object`);
    return settings ?? {};
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A parser's message quotes what it read, and that may be the token.
    if (code !== 'ENOENT') problems.push(code === undefined ? `${path} is not JSON` : `${path} cannot be read (${code})`);
    return {};
  }
}

/** Readers that take the environment's value, else the file's, else the fallback; what does not fit becomes a problem. */
function settingsOf(environment: Environment, file: JsonObject, problems: string[]) {
  /** An empty variable is an unset one. */
  const found = (key: string, variable: string | null): { name: string; value: unknown } => {
    const value = variable === null ? undefined : environment[variable];
    return value ? { name: String(variable), value } : { name: `"${key}" in config.json`, value: file[key] };
  };
  const problem = (name: string, value: unknown, expected: string) => problems.push(`${name} is ${shown(value)}, expected ${expected}`);

  return {
    integer(key: string, variable: string | null, fallback: number, min: number, max: number): number {
      const { name, value } = found(key, variable);
      if (value === undefined) return fallback;
      const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
      if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
      problem(name, value, `a whole number from ${min} to ${max}`);
      return fallback;
    },
    boolean(key: string, variable: string | null): boolean {
      const { name, value } = found(key, variable);
      if (value === true || value === '1' || value === 'true') return true;
      if (value !== undefined && value !== false && value !== '0' && value !== 'false')
        problem(name, value, variable === null ? 'true or false' : 'true or false (1 or 0)');
      return false;
    },
    isSet: (key: string, variable: string): boolean => found(key, variable).value !== undefined,
    url(key: string, variable: string, fallback: string): string {
      const { name, value } = found(key, variable);
      if (value === undefined) return fallback;
      if (typeof value === 'string' && isCollectorUrl(value)) return value.replace(/\/+$/, '');
      problem(name, redacted(value), 'an http or https address without user, password, query or fragment');
      return fallback;
    },
    name(key: string, variable: string): string | null {
      const { name, value } = found(key, variable);
      if (value === undefined || value === null) return null;
      if (typeof value === 'string' && isName(value)) return value;
      problem(name, value, 'a name of up to 100 characters, without control characters');
      return null;
    },
    token(key: string, variable: string): string | null {
      const { name, value } = found(key, variable);
      if (value === undefined || value === null) return null;
      if (typeof value === 'string' && /^[\x21-\x7e]{1,1000}$/.test(value)) return value;
      problems.push(`${name} is not a token, expected up to 1000 visible ASCII characters without blanks`);
      return null;
    },
  };
}

function isName(value: string): boolean {
  return value.trim() === value && /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(value);
}

function isCollectorUrl(value: string): boolean {
  try {
    const { protocol, username, password, search, hash } = new URL(value);
    return /^https?:$/.test(protocol) && username + password + search + hash === '';
  } catch {
    return false; // the caller names the problem
  }
}

function redacted(value: unknown): unknown {
  return typeof value === 'string' ? withoutCredentials(value) : value;
}

/** The value as it stands there, cut short. */
function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
