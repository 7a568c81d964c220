/**
 * Which host runs this extension, in which version and mode. Determined once per process, in well
 * under a millisecond: omp passes its own module to extensions; pi is recognised by the package
 * that the running program belongs to.
 */
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRegularFile } from '../../core/machine/regular-file.ts';
import { asObject, asText } from '../../core/record/fields.ts';
import type { Mode } from './host.ts';

export interface HostIdentity {
  readonly name: 'pi' | 'omp';
  /** It is null when the host is embedded in another program. */
  readonly version: string | null;
}

/** Contract: never throws. Reads a few small files at most. */
export function identifyHost(
  pi: unknown,
  program: { script: string | undefined; executable: string },
): HostIdentity {
  const ownModule = asObject(asObject(pi)?.pi);
  if (ownModule !== null) return { name: 'omp', version: asText(ownModule.VERSION) };
  const version = versionAbove(program.script) ?? versionAbove(program.executable);
  return { name: 'pi', version };
}

export function modeOfProcess(): Mode {
  return modeOfCommandLine(process.argv.slice(2), process.stdin.isTTY);
}

/** pi 0.73 does not report its mode; its command line shows it. */
export function modeOfCommandLine(args: readonly string[], isTerminal: boolean): Mode {
  const named = args.indexOf('--mode');
  const mode = named < 0 ? undefined : args[named + 1];
  if (mode === 'json' || mode === 'rpc') return mode;
  return args.includes('-p') || args.includes('--print') || !isTerminal ? 'print' : 'tui';
}

/**
 * How a host signals the end of a run: omp with an `agent_end` that will not continue, pi since
 * 0.80.4 with `agent_settled`. Older versions give no sign that no retry follows. An unknown
 * version is treated as a new one.
 */
export function runEndEvent(host: HostIdentity): 'agent_settled' | 'agent_end' | 'unreported' {
  if (host.name === 'omp') return 'agent_end';
  const [major = 0, minor = 0, patch = 0] = (host.version ?? '1.0.0')
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  return major > 0 || minor > 80 || (minor === 80 && patch >= 4) ? 'agent_settled' : 'unreported';
}

const levelsMax = 6;
const manifestBytesMax = 1024 * 1024;

/**
 * The version in the nearest package.json of a coding agent above the program, following the
 * symlink of a global install.
 */
function versionAbove(program: string | undefined): string | null {
  let directory = dirname(realPath(program ?? ''));
  for (let level = 0; level < levelsMax && directory !== dirname(directory); level += 1) {
    const manifest = manifestIn(directory);
    if (asText(manifest?.name)?.endsWith('pi-coding-agent') === true)
      return asText(manifest?.version);
    directory = dirname(directory);
  }
  return null;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // a program inside a single-file executable has no path on disk
  }
}

function manifestIn(directory: string) {
  try {
    return asObject(
      JSON.parse(readRegularFile(join(directory, 'package.json'), { bytesMax: manifestBytesMax })),
    );
  } catch {
    return null; // missing, or not readable by this user
  }
}
