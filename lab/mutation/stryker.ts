/**
 * One run of Stryker: the mutants of some files of a folder against its tests. The result of each
 * file is written as soon as it is there.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toolProgram } from '../../test/tools/tools.ts';
import type { Folder } from './folders.ts';
import { readResult, resultFileOf } from './results.ts';

export interface StrykerRun {
  readonly root: string;
  readonly folder: Folder;
  readonly files: readonly string[];
  /** Tries only what survived before; what was noticed stays so. */
  readonly isSurvivorsOnly: boolean;
  /** Mutants tried at a time. */
  readonly concurrency: number;
}

/** Only to end endless waiting; generous, since the machine has other work. */
const timeoutMs = 30_000;

/** Rejects if the tests fail without a mutant, or Stryker is missing. */
export async function runStryker({
  root,
  folder,
  files,
  isSurvivorsOnly,
  concurrency,
}: StrykerRun): Promise<void> {
  if (!isSurvivorsOnly) for (const file of files) rmSync(resultFileOf(root, file), { force: true });
  const mutate = isSurvivorsOnly ? files.flatMap((file) => survivorsOf(root, file)) : files;
  const settingsFile = join(root, '.mutation', 'settings.json');
  mkdirSync(dirname(settingsFile), { recursive: true });
  writeFileSync(settingsFile, JSON.stringify(settingsOf(mutate, concurrency), null, 2));
  const stryker = spawn(
    process.execPath,
    [await toolProgram('mutation', '@stryker-mutator/core', 'stryker'), 'run', settingsFile],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PI_LEDGER_MUTATION_TESTS: folder.tests.join(',') },
    },
  );
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stryker.on('error', reject);
  stryker.on('exit', (code) =>
    code === 0 ? resolve() : reject(new Error(`Stryker ended with ${code}.`)),
  );
  await promise;
  for (const file of files) writeNothingTried(resultFileOf(root, file));
}

/** As Stryker names parts of files: lines from 1, columns from 0. */
function survivorsOf(root: string, file: string): string[] {
  const survivors = readResult(root, file)?.survivors ?? [];
  return survivors.map(
    ({ line, column, end }) => `${file}:${line}:${column - 1}-${end.line}:${end.column - 1}`,
  );
}

function settingsOf(mutate: readonly string[], concurrency: number) {
  return {
    mutate,
    // A file of types alone has no mutants and no tests.
    allowEmpty: true,
    concurrency,
    testRunner: 'in-process',
    plugins: ['./lab/mutation/in-process/stryker-plugin.ts'],
    coverageAnalysis: 'perTest',
    // Their code runs while a file is loaded: each would need its own process.
    ignoreStatic: true,
    // TypeScript 7 has no interface for JavaScript, so there is nothing to read a tsconfig with.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    timeoutMS: timeoutMs,
    timeoutFactor: 1.5,
    // What many mutants and loaded test files leave in memory.
    maxTestRunnerReuse: 400,
    // All tests of the folder with coverage: minutes on a busy machine.
    dryRunTimeoutMinutes: 60,
    tempDirName: '.mutation/sandbox',
    // `skills` is a link to a folder, which Stryker cannot copy.
    ignorePatterns: ['.mutation', 'docs', 'deploy', 'skills'],
    reporters: ['progress-append-only', 'file-results'],
  };
}

/** Of a file without mutants, Stryker says nothing. */
function writeNothingTried(resultFile: string): void {
  if (existsSync(resultFile)) return;
  mkdirSync(dirname(resultFile), { recursive: true });
  writeFileSync(resultFile, JSON.stringify({ files: {} }));
}
