/**
 * The tests for a folder's mutants, from the lanes `unit` and `suites`, on SQLite (see folders.ts).
 * Stryker runs them in a copy of the repository.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default defineConfig({
  root,
  resolve: {
    // In the copy, the packages' links lead out of it, to sources without mutants.
    alias: [
      { find: /^@pi-ledger\/(contract|extension)$/, replacement: `${root}$1/index.ts` },
      { find: /^@pi-ledger\/(extension)\/(.+)$/, replacement: `${root}$1/$2.ts` },
    ],
  },
  test: {
    include: (
      process.env.PI_LEDGER_MUTATION_TESTS ??
      'test/{contract,extension,collector,suites}/**/*.test.ts'
    ).split(','),
    exclude: ['test/suites/**/*.mongodb.test.ts'],
    // Sources are loaded once, and not again for each test file or mutant.
    isolate: false,
    fileParallelism: false,
    runner: './lab/mutation/in-process/test-thread.ts',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 45_000 } },
  },
});
