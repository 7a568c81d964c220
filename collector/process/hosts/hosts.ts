import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Environment, hostFolders, isRecord, readJson } from './host-files.ts';
import { installLine } from './install-line.ts';

const packageNames = new Set(['pi-ledger-workspace', '@pi-ledger/extension']);

export interface HostFinding {
  readonly host: 'pi' | 'omp';
  readonly state: 'good' | 'note' | 'bad';
  readonly detail: string;
  readonly isUsed: boolean;
  /** The command that makes it load the extension; null: it does, or nobody uses it. */
  readonly install: string | null;
}

/**
 * Is the extension installed, and in which hosts? Reads the hosts' own settings, also where
 * variables move them; runs nothing.
 */
export function lookAtHosts(env: Environment): readonly HostFinding[] {
  const { pi, omp } = hostFolders(env);
  return [checkPi(pi), checkOmp(omp)];
}

/** pi loads the `packages` in settings.json (`pi install`) and whatever is in `extensions/`. */
function checkPi(agentDirectory: string): HostFinding {
  if (!existsSync(agentDirectory)) {
    return notUsed('pi');
  }
  const settings = readJson(join(agentDirectory, 'settings.json'));
  const sources = [...readTexts(settings?.packages), ...readTexts(settings?.extensions)];
  const source = sources.find((one) => namesTheExtension(one, agentDirectory));
  if (source !== undefined)
    return installed('pi', source, isRemote(source) ? null : resolve(agentDirectory, source));
  const found = inFolder(join(agentDirectory, 'extensions'));
  return found === undefined
    ? missing('pi')
    : installed('pi', found, join(agentDirectory, 'extensions', found));
}

/** omp loads what its lock file names (`omp plugin link|install`) and `agent/extensions/`. */
function checkOmp(directory: string): HostFinding {
  if (!existsSync(directory)) {
    return notUsed('omp');
  }
  const lock = readJson(join(directory, 'plugins', 'omp-plugins.lock.json'));
  const plugins = isRecord(lock?.plugins) ? Object.entries(lock.plugins) : [];
  const plugin = plugins.find(([name]) => packageNames.has(name));
  if (plugin !== undefined && isRecord(plugin[1]) && plugin[1].enabled === false) {
    const install = `omp plugin enable ${plugin[0]}`;
    const detail = `the plugin ${plugin[0]} is installed but disabled: \`${install}\``;
    return { host: 'omp', state: 'bad', detail, isUsed: true, install };
  }
  if (plugin !== undefined)
    return installed('omp', plugin[0], join(directory, 'plugins', 'node_modules', plugin[0]));
  const found = inFolder(join(directory, 'agent', 'extensions'));
  return found === undefined
    ? missing('omp')
    : installed('omp', found, join(directory, 'agent', 'extensions', found));
}

function installed(host: HostFinding['host'], source: string, folder: string | null): HostFinding {
  return { host, ...stateIn(source, folder), isUsed: true, install: null };
}

function notUsed(host: HostFinding['host']): HostFinding {
  return { host, state: 'note', detail: 'not used by this user', isUsed: false, install: null };
}

function missing(host: HostFinding['host']): HostFinding {
  const install = installLine(host);
  const detail = `the extension is not installed: \`${install}\``;
  return { host, state: 'bad', detail, isUsed: true, install };
}

/** Installed is not loaded: the folder's content decides. Null: only the host knows the folder. */
function stateIn(source: string, folder: string | null): Pick<HostFinding, 'state' | 'detail'> {
  const detail = `extension installed (${source})`;
  if (folder !== null && !existsSync(folder))
    return { state: 'bad', detail: `${detail}, but ${folder} is gone: install it again` };
  if (folder === null || readJson(join(folder, 'package.json'))?.name !== '@pi-ledger/extension')
    return { state: 'good', detail };
  const build = `run \`npm install\` in ${dirname(realpathSync(folder))}`;
  switch (bundleStateIn(folder)) {
    case 'fresh':
      return { state: 'good', detail };
    case 'sources':
      return {
        state: 'note',
        detail: `${detail}, loaded from its sources, which slows down each start: ${build}`,
      };
    case 'stale':
      return {
        state: 'bad',
        detail: `${detail}, but its bundle is older than its sources: ${build}`,
      };
    case 'none':
      return {
        state: 'bad',
        detail: `${detail}, but there is nothing to load in ${folder}: install it again`,
      };
  }
}

function namesTheExtension(source: string, baseDirectory: string): boolean {
  // The name without a scope may belong to somebody else.
  if (source.startsWith('npm:')) return /^npm:@pi-ledger\/extension(@|$)/.test(source);
  if (isRemote(source)) return /\bpi-ledger\b/.test(source);
  return packageNames.has(
    String(readJson(join(resolve(baseDirectory, source), 'package.json'))?.name),
  );
}

function isRemote(source: string): boolean {
  return /^(npm|git|https?|ssh):/.test(source);
}

/** Undefined also where it is no folder, or may not be read. */
function inFolder(directory: string): string | undefined {
  try {
    return readdirSync(directory).find((name) => name.includes('pi-ledger'));
  } catch {
    return undefined;
  }
}

/** pi takes a source as text, or as an object with a `source`. */
function readTexts(value: unknown): string[] {
  if (!Array.isArray(value)) {
    return [];
  }
  return value
    .map((item) => (isRecord(item) ? item.source : item))
    .filter((item) => typeof item === 'string');
}

/**
 * What hosts load of the extension in a folder. `stale`: a bundle older than its sources. `none`:
 * there is nothing to load.
 */
type BundleState = 'fresh' | 'stale' | 'sources' | 'none';

/** Contract: never throws. Compares file times; a published package has no sources to compare. */
function bundleStateIn(folder: string): BundleState {
  const bundledMs = changedAtMs(join(folder, 'dist', 'index.cjs'));
  const hasSources = existsSync(join(folder, 'index.ts'));
  if (bundledMs === null) return hasSources ? 'sources' : 'none';
  return hasSources && sourcesIn(folder).some((path) => (changedAtMs(path) ?? 0) > bundledMs)
    ? 'stale'
    : 'fresh';
}

/** The extension's own, and what is bundled with it. */
function sourcesIn(folder: string): string[] {
  const checkout = join(realpathSync(folder), '..');
  const beside = [join(checkout, 'core'), join(checkout, 'contract', 'settings')];
  return [folder, ...beside.filter((each) => existsSync(each))].flatMap(typeScriptIn);
}

function typeScriptIn(folder: string): string[] {
  const tops = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => name !== 'node_modules' && name !== 'dist',
  );
  const paths = tops.flatMap((top) => {
    const path = join(folder, top.name);
    return top.isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
      : [path];
  });
  return paths.filter((path) => path.endsWith('.ts'));
}

function changedAtMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
