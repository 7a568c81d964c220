/**
 * One run of Stryker: the mutants of one file against the tests of its folder. The next run
 * continues from its result file; an interrupted run leaves a partial file beside it, which is
 * continued as well but is not a result.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Folder } from './folders.ts';

export interface StrykerRun {
  readonly root: string;
  readonly folder: Folder;
  readonly file: string;
  /** Where the result is kept. */
  readonly resultFile: string;
  /** Tries every mutant, whatever an earlier result says. */
  readonly again: boolean;
  /** Mutants tried at a time. */
  readonly concurrency: number;
}

/** Only to end endless loops; generous, since the machine has other work. */
const timeoutMs = 30_000;

/** Rejects if the tests fail without a mutant, or Stryker is missing. */
export async function runStryker({
  root,
  folder,
  file,
  resultFile,
  again,
  concurrency,
}: StrykerRun): Promise<void> {
  const unfinished = resultFile.replace(/\.json$/, '.unfinished.json');
  const settings = {
    mutate: [file],
    incremental: true,
    incrementalFile: unfinished,
    // A file of types alone has no mutants and no tests.
    allowEmpty: true,
    concurrency,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // Not `related`: a file that no test loads has mutants, too, and all of them survive.
    vitest: { configFile: 'test/mutation/vitest.config.ts', pool: 'forks', related: false },
    coverageAnalysis: 'perTest',
    // Their code runs while a file is loaded: each would need its own process.
    ignoreStatic: true,
    // TypeScript 7 has no interface for JavaScript, so there is nothing to read a tsconfig with.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    timeoutMS: timeoutMs,
    timeoutFactor: 3,
    // All tests of the folder with coverage: minutes on a busy machine.
    dryRunTimeoutMinutes: 60,
    tempDirName: '.mutation/sandbox',
    // `skills` is a link to a folder, which Stryker cannot copy.
    ignorePatterns: ['.mutation', 'docs', 'deploy', 'skills'],
    reporters: ['progress-append-only'],
  };
  const settingsFile = resultFile.replace(/\.json$/, '.settings.json');
  mkdirSync(dirname(settingsFile), { recursive: true });
  writeFileSync(settingsFile, JSON.stringify(settings, null, 2));
  if (!again && !existsSync(unfinished) && existsSync(resultFile))
    copyFileSync(resultFile, unfinished);
  const tests = folder.tests.join(',');
  const stryker = spawn(
    process.execPath,
    [join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', settingsFile],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PI_LEDGER_MUTATION_TESTS: tests },
    },
  );
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stryker.on('error', reject);
  stryker.on('exit', (code) =>
    code === 0 ? resolve() : reject(new Error(`Stryker ended with ${code} over ${file}.`)),
  );
  await promise;
  if (existsSync(unfinished)) renameSync(unfinished, resultFile);
  else writeFileSync(resultFile, JSON.stringify({ files: {} }));
}
