import { defineConfig } from 'vitest/config';
import { LanesReporter, requiredLanes } from './test/support/lanes-reporter.ts';

/** One project per lane: `npm test -- --project unit` runs one of them. */
export default defineConfig({
  test: {
    reporters: ['default', new LanesReporter(requiredLanes(process.env))],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/{contract,extension,collector,repository}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'suites', include: ['test/suites/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 } },
      {
        test: {
          name: 'hosts',
          include: ['test/hosts/**/*.test.ts'],
          globalSetup: ['test/hosts/support/build-extension.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
