/**
 * The OpenTelemetry Collector of the lane `otel`: the program that PI_LEDGER_OTELCOL names, else
 * one built here with Go (a minute or two, once), with the parts that main.go lists.
 *
 * A program and not an address: tests read back the file that it writes, and restart it.
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
const version = '0.155.0';
const sources = ['main.go', 'go.mod', 'go.sum'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

export interface Program {
  /** Name in summaries. */
  readonly name: string;
  readonly path: string;
}

/**
 * Rejects if it cannot be built. Processes that build at once each build in a folder of their own;
 * what is at the final path is complete at any time.
 */
export async function findOtelcol(environment: NodeJS.ProcessEnv): Promise<Program> {
  const named = environment.PI_LEDGER_OTELCOL ?? '';
  if (named !== '') return { name: 'OpenTelemetry Collector of PI_LEDGER_OTELCOL', path: named };
  const directory = cacheDirectory(environment, 'otelcol');
  const path = join(directory, `otelcol-${version}-${recipe()}`);
  if (!existsSync(path)) await build(directory, path);
  return { name: `OpenTelemetry Collector ${version} (local)`, path };
}

/** What else is built from is in the name, so that no old build is reused. */
function recipe(): string {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(source));
  return hash.digest('hex').slice(0, 12);
}

async function build(directory: string, path: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const staging = await mkdtemp(join(directory, '.building-'));
  try {
    const staged = join(staging, 'otelcol');
    const flags = ['-mod=readonly', '-trimpath', '-ldflags=-s -w', '-o', staged];
    await run('go', ['build', ...flags, '.'], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      env: { ...process.env, CGO_ENABLED: '0' },
      maxBuffer: 16 << 20,
    });
    await rename(staged, path);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
