/**
 * The coding agents that the hosts lane drives: which package in which exact version, where it is
 * cached, how it is started. Facts only; `install.ts` brings them there.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';

export type HostName = 'pi073' | 'pi087' | 'pi160' | 'omp18';
type HostFamily = 'pi' | 'omp';

/**
 * One real host.
 *
 * Contract: every path is absolute; nothing says that the files are there yet (`ensureHosts` sees
 * to it). `command` is the beginning of an argv, to be started without a shell.
 */
export interface Host {
  readonly name: HostName;
  readonly version: string;
  readonly family: HostFamily;
  readonly package: string;
  /** npm dependencies in exact versions. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Its session files say what its summaries cost. */
  readonly tellsSummaryUsage: boolean;
  /** Keyed by version: an upgrade is a new folder, never a changed one. */
  readonly directory: string;
  readonly command: readonly string[];
}

export const hostsDirectory = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'pi-ledger-test',
  'hosts',
);

/** The newest pi asks for this much; the Node that runs the tests runs both pi hosts. */
export const nodeVersionMin = { major: 22, minor: 19 } as const;

const bunVersion = '1.4.5';

const known: readonly Host[] = [
  piHost('pi073', '@mariozechner/pi-coding-agent', '0.73.1', 'dist/cli.js'),
  piHost('pi087', '@earendil-works/pi-coding-agent', '0.87.1', 'dist/bundle/cli.js'),
  piHost('pi160', '@earendil-works/pi-coding-agent', '1.6.0', 'dist/bundle/cli.js'),
  ompHost('omp18', '@oh-my-pi/pi-coding-agent', '18.2.3', 'dist/cli.js'),
];

/** Those that PI_LEDGER_TEST_HOSTS names (comma-separated), else all. */
export const hosts = chosenHosts(process.env.PI_LEDGER_TEST_HOSTS ?? '');

function chosenHosts(names: string): readonly Host[] {
  if (names === '') return known;
  return names.split(',').map((name) => {
    const host = known.find((candidate) => candidate.name === name);
    if (host === undefined)
      throw new Error(
        `PI_LEDGER_TEST_HOSTS names ${name}; known: ${known.map((each) => each.name).join(', ')}`,
      );
    return host;
  });
}

function piHost(name: HostName, packageName: string, version: string, entry: string): Host {
  const directory = join(hostsDirectory, `${name}-${version}`);
  return {
    name,
    version,
    family: 'pi',
    package: packageName,
    dependencies: { [packageName]: version },
    tellsSummaryUsage: name !== 'pi073',
    directory,
    command: [process.execPath, join(directory, 'node_modules', packageName, entry)],
  };
}

/** The npm package `bun` carries its binary under this name on every platform. */
function ompHost(name: HostName, packageName: string, version: string, entry: string): Host {
  const directory = join(hostsDirectory, `${name}-${version}`);
  const modules = join(directory, 'node_modules');
  return {
    name,
    version,
    family: 'omp',
    package: packageName,
    dependencies: { [packageName]: version, bun: bunVersion },
    tellsSummaryUsage: false,
    directory,
    command: [join(modules, 'bun', 'bin', 'bun.exe'), join(modules, packageName, entry)],
  };
}
