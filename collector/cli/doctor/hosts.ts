import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Finding } from './finding.ts';

const packageNames = new Set(['pi-ledger-workspace', '@pi-ledger/extension']);

type Environment = Readonly<Record<string, string | undefined>>;

/** Is the extension installed, and for which hosts? Reads the hosts' own settings, where they are moved to, too; runs nothing. */
export function checkHosts(env: Environment): Finding[] {
  const home = env.HOME || homedir();
  const moved = env.PI_CODING_AGENT_DIR?.replace(/^~(?=\/|$)/, home);
  return [checkPi(moved || join(home, '.pi', 'agent')), checkOmp(join(home, env.PI_CONFIG_DIR || '.omp'))];
}

/** pi: `pi install` writes `packages` into settings.json; a file or folder in `extensions/` is loaded as well. */
function checkPi(agentDirectory: string): Finding {
  if (!existsSync(agentDirectory)) {
    return { check: 'pi', state: 'note', detail: 'not used by this user' };
  }
  const settings = readJson(join(agentDirectory, 'settings.json'));
  const sources = [...textsOf(settings?.packages), ...textsOf(settings?.extensions)];
  const found = sources.find((source) => namesTheExtension(source, agentDirectory)) ?? inFolder(join(agentDirectory, 'extensions'));
  return found === undefined
    ? { check: 'pi', state: 'bad', detail: 'the extension is not installed: `pi install <folder of pi-ledger>/extension`' }
    : { check: 'pi', state: 'good', detail: `extension installed (${found})` };
}

/** omp: `omp plugin link|install` keeps a lock file; `agent/extensions/` is loaded as well. */
function checkOmp(directory: string): Finding {
  if (!existsSync(directory)) {
    return { check: 'omp', state: 'note', detail: 'not used by this user' };
  }
  const lock = readJson(join(directory, 'plugins', 'omp-plugins.lock.json'));
  const plugins = isRecord(lock?.plugins) ? Object.entries(lock.plugins) : [];
  const plugin = plugins.find(([name]) => packageNames.has(name));
  if (plugin !== undefined && isRecord(plugin[1]) && plugin[1].enabled === false) {
    return { check: 'omp', state: 'bad', detail: `the plugin ${plugin[0]} is installed but disabled: \`omp plugin enable ${plugin[0]}\`` };
  }
  const found = plugin?.[0] ?? inFolder(join(directory, 'agent', 'extensions'));
  return found === undefined
    ? { check: 'omp', state: 'bad', detail: 'the extension is not installed: `omp plugin link <folder of pi-ledger>/extension`' }
    : { check: 'omp', state: 'good', detail: `extension installed (${found})` };
}

function namesTheExtension(source: string, baseDirectory: string): boolean {
  if (/^(npm|git|https?|ssh):/.test(source)) {
    return /\bpi-ledger\b/.test(source);
  }
  return packageNames.has(String(readJson(join(resolve(baseDirectory, source), 'package.json'))?.name));
}

function inFolder(directory: string): string | undefined {
  return existsSync(directory) ? readdirSync(directory).find((name) => name.includes('pi-ledger')) : undefined;
}

/** pi takes a source as text, or as an object with a `source`. */
function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) {
    return [];
  }
  return value.map((item) => (isRecord(item) ? item.source : item)).filter((item) => typeof item === 'string');
}

/** Null when the file is missing or not JSON: either way it names no extension. */
function readJson(path: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined) {
      return null;
    }
    throw error;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
