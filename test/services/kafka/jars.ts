/**
 * The jars of an Apache Kafka broker, from a Maven repository into the cache folder (10 s, once).
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheDirectory } from '../cache.ts';

const run = promisify(execFile);
const pom = fileURLToPath(new URL('pom.xml', import.meta.url));
const version = /<artifactId>kafka_[\d.]+<\/artifactId>\s*<version>([\d.]+)</.exec(
  readFileSync(pom, 'utf8'),
)?.[1];

export interface BrokerJars {
  /** Name in tables and summaries. */
  readonly name: string;
  readonly directory: string;
  /**
   * Of a Java that lives for a minute, which is half of its work otherwise: nothing is compiled for
   * a longer life, and classes come as `archiveClasses` left them.
   */
  readonly shortLived: readonly string[];
}

/** Rejects if they cannot be had. */
export async function findBrokerJars(environment: NodeJS.ProcessEnv): Promise<BrokerJars> {
  const parent = cacheDirectory(environment, 'kafka');
  const directory = join(parent, `kafka-${version}-${recipe()}`);
  if (!existsSync(directory)) await download(parent, directory);
  const archive = archiveOf(directory);
  return {
    name: `Apache Kafka ${version} (local)`,
    directory,
    shortLived: [
      '-XX:TieredStopAtLevel=1',
      ...(existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : []),
    ],
  };
}

/** A Java that cannot use it, after an upgrade, goes on without a word. */
function archiveOf(directory: string): string {
  return `${directory}.jsa`;
}

/**
 * Keeps the classes that the broker loads, for all that start later. `runBroker` rejects unless the
 * broker ended by itself: only then is its archive whole. Returns why there is none, or null.
 * Contract: never rejects, since brokers start without it, too.
 */
export async function archiveClasses(
  { directory }: Pick<BrokerJars, 'directory'>,
  runBroker: (flags: readonly string[]) => Promise<void>,
): Promise<string | null> {
  if (existsSync(archiveOf(directory))) return null;
  const staging = `${archiveOf(directory)}.${process.pid}`;
  try {
    await runBroker([`-XX:ArchiveClassesAtExit=${staging}`]);
    await rename(staging, archiveOf(directory));
    return null;
  } catch (error) {
    await rm(staging, { force: true });
    return (error as Error).message;
  }
}

/** In the folder's name, so that no old set of jars is reused. */
function recipe(): string {
  return createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
}

/** The first of several processes that do this at once wins; the others throw theirs away. */
async function download(parent: string, directory: string): Promise<void> {
  await mkdir(parent, { recursive: true });
  const staging = await mkdtemp(join(parent, '.downloading-'));
  const jars = join(staging, 'jars');
  try {
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime'];
    await run('mvn', ['-q', '-B', '-f', pom, ...goal, `-DoutputDirectory=${jars}`], {
      maxBuffer: 16 << 20,
    });
    await rename(jars, directory).catch((error: unknown) => {
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
