import { defineConfig } from 'vitest/config';
import { LanesReporter, requiredLanes } from './test/support/lanes-reporter.ts';

/** Those that need a MongoDB server. */
const mongodbTests = ['test/mongodb/**/*.test.ts', 'test/suites/**/*.mongodb.test.ts'];
/** Of the lane `hosts`, what runs on MongoDB too, with one host. */
const hostTestsOnMongodb = ['accounting', 'import', 'kill-collector'].map((name) => `test/hosts/${name}.test.ts`);
const buildExtension = 'test/hosts/support/build-extension.ts';
const startMongodb = 'test/services/mongodb/global-setup.ts';

/** Waiting ends as soon as what is waited for is there; a busy machine may take long. */
const patience = { poll: { timeout: 45_000 } };

/** One project per lane: `npm test -- --project unit` runs one of them. */
export default defineConfig({
  test: {
    reporters: ['default', new LanesReporter(requiredLanes(process.env))],
    projects: [
      {
        test: {
          name: 'unit',
          expect: patience,
          include: ['test/{contract,extension,collector,repository}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'suites',
          expect: patience,
          include: ['test/suites/**/*.test.ts'],
          exclude: mongodbTests,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'hosts',
          expect: patience,
          include: ['test/hosts/**/*.test.ts'],
          globalSetup: process.env.PI_LEDGER_TEST_STORE === 'mongodb' ? [buildExtension, startMongodb] : [buildExtension],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'mongodb',
          expect: patience,
          include: [...mongodbTests, ...hostTestsOnMongodb],
          globalSetup: [buildExtension, startMongodb],
          env: { PI_LEDGER_TEST_STORE: 'mongodb', PI_LEDGER_TEST_HOSTS: process.env.PI_LEDGER_TEST_HOSTS ?? 'pi087' },
          testTimeout: 120_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
