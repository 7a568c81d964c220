/**
 * The tests that a folder's mutants meet: of the lanes `unit` and `suites`, on SQLite (folders.ts
 * says which). Stryker runs it in a copy of the repository.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import QuickFirst from './quick-first.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default defineConfig({
  root,
  resolve: {
    // In the copy the packages' links lead out of it, to sources without mutants.
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
    // The modules are loaded once for a mutant, not once for each test file.
    isolate: false,
    setupFiles: ['test/mutation/no-shrinking.ts'],
    sequence: { sequencer: QuickFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 45_000 } },
  },
});
