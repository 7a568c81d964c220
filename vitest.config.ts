import { defineConfig } from 'vitest/config';

/** One project per lane: `npm test -- --project unit` runs one of them. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/{contract,extension,collector,repository}/**/*.test.ts'] } },
      { test: { name: 'suites', include: ['test/suites/**/*.test.ts'] } },
      { test: { name: 'hosts', include: ['test/hosts/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 300_000, maxWorkers: 2 } },
    ],
  },
});
