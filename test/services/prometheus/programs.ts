/**
 * Prometheus and promtool of the lane `otel`: those in the folder that PI_LEDGER_PROMETHEUS names,
 * else those on the PATH, else Debian's package, unpacked into the cache folder and not installed.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDirectory } from '../cache.ts';

const run = promisify(execFile);
const packageName = 'prometheus';

export interface PrometheusPrograms {
  /** Name in summaries. */
  readonly name: string;
  readonly prometheus: string;
  readonly promtool: string;
}

/** Rejects if there are none and Debian's cannot be had. */
export async function findPrometheus(environment: NodeJS.ProcessEnv): Promise<PrometheusPrograms> {
  const named = environment.PI_LEDGER_PROMETHEUS ?? '';
  if (named !== '') return programsIn(named);
  const onPath = (environment.PATH ?? '').split(delimiter).find(hasBoth);
  if (onPath !== undefined) return programsIn(onPath);
  const directory = join(cacheDirectory(environment, packageName), 'debian');
  if (!hasBoth(binariesOf(directory))) await unpack(directory);
  return programsIn(binariesOf(directory));
}

function binariesOf(directory: string): string {
  return join(directory, 'usr', 'bin');
}

function hasBoth(directory: string): boolean {
  return ['prometheus', 'promtool'].every((name) => existsSync(join(directory, name)));
}

async function programsIn(directory: string): Promise<PrometheusPrograms> {
  const promtool = join(directory, 'promtool');
  const { stdout } = await run(promtool, ['--version']);
  const version = /version (\S+)/.exec(stdout)?.[1] ?? 'of an unknown version';
  return { name: `Prometheus ${version}`, prometheus: join(directory, 'prometheus'), promtool };
}

/** The first of several processes that do this at once wins; the others throw theirs away. */
async function unpack(directory: string): Promise<void> {
  await mkdir(join(directory, '..'), { recursive: true });
  const staging = await mkdtemp(`${directory}.unpacking-`);
  try {
    await download(staging);
    const file = (await readdir(staging)).find((name) => name.endsWith('.deb'));
    await run('dpkg-deb', ['-x', join(staging, file ?? ''), join(staging, 'tree')]);
    await rename(join(staging, 'tree'), directory).catch((error: unknown) => {
      if (!hasBoth(binariesOf(directory))) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** A fresh machine has no lists of packages, or old ones that name what is no longer there. */
async function download(directory: string): Promise<void> {
  const options = { cwd: directory, maxBuffer: 16 << 20 };
  const get = () => run('apt-get', ['download', packageName], options);
  await get().catch(async () => {
    await run('apt-get', ['update', '-qq'], options);
    await get();
  });
}
