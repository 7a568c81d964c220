import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { waitMsMax } from './test/support/bounds.ts';
import { LanesReporter, requiredLanes } from './test/support/lanes-reporter.ts';

/** Those that need a MongoDB server. */
const mongodbTests = ['test/mongodb/**/*.test.ts', 'test/suites/**/*.mongodb.test.ts'];
/** Of the lane `hosts`, what runs on MongoDB too, with one host. */
const hostTestsOnMongodb = ['accounting', 'import', 'kill-collector'].map(
  (name) => `test/hosts/${name}.test.ts`,
);
const buildExtension = 'test/hosts/support/host/build-extension.ts';
const startMongodb = 'test/services/mongodb/global-setup.ts';
/** Of lanes that mount file systems or kill servers. */
const sayWhatLacks = 'test/services/say-what-lacks.ts';
const startKafka = 'test/services/kafka/global-setup.ts';
/** The lanes whose ledgers may be in MongoDB instead of a file. */
const startMongodbIfAsked = process.env.PI_LEDGER_TEST_STORE === 'mongodb' ? [startMongodb] : [];
const findOtelPrograms = 'test/services/otelcol/global-setup.ts';

const everyLane = {
  /** Processes of the same code need not compile it again. */
  env: { NODE_COMPILE_CACHE: join(tmpdir(), 'pi-ledger-test-compiled') },
  /** Waiting ends as soon as what is waited for is there; a busy machine may take long. */
  expect: { poll: { timeout: waitMsMax } },
  /** None is timed: this only ends what hangs. */
  testTimeout: 1_800_000,
  hookTimeout: 1_800_000,
  /**
   * Two more than the processors of a small machine: many tests wait for other processes. The same
   * everywhere, so that lanes need not wait for each other.
   */
  maxWorkers: Math.max(4, availableParallelism() - 1),
};

/** One project per lane: `npm test -- --project unit` runs one of them. */
export default defineConfig({
  test: {
    reporters: ['default', new LanesReporter(requiredLanes(process.env))],
    projects: [
      {
        test: {
          name: 'unit',
          ...everyLane,
          // Files share a process, so what they import is loaded once and stays compiled: a quarter
          // less processor time. Whoever changes the process puts it back
          // (test/repository/shared-process.test.ts).
          isolate: false,
          include: [
            'test/{contract,core,extension,collector,dashboards,lab,repository}/**/*.test.ts',
          ],
          globalSetup: [sayWhatLacks],
        },
      },
      {
        test: {
          name: 'suites',
          ...everyLane,
          include: ['test/suites/**/*.test.ts'],
          exclude: mongodbTests,
        },
      },
      {
        test: {
          name: 'hosts',
          ...everyLane,
          include: ['test/hosts/**/*.test.ts'],
          globalSetup: [sayWhatLacks, buildExtension, ...startMongodbIfAsked],
        },
      },
      {
        test: {
          name: 'packages',
          ...everyLane,
          include: ['test/packages/**/*.test.ts'],
          globalSetup: ['test/packages/support/pack.ts'],
        },
      },
      {
        test: {
          name: 'otel',
          ...everyLane,
          include: ['test/otel/**/*.test.ts'],
          globalSetup: [buildExtension, findOtelPrograms],
        },
      },
      {
        test: {
          name: 'kafka',
          ...everyLane,
          include: ['test/kafka/**/*.test.ts'],
          globalSetup: [buildExtension, startMongodb, startKafka],
        },
      },
      {
        test: {
          name: 'faults',
          ...everyLane,
          include: ['lab/faults/**/*.test.ts'],
          globalSetup: [sayWhatLacks, buildExtension],
        },
      },
      {
        test: {
          name: 'web',
          ...everyLane,
          include: ['test/web/**/*.test.ts'],
          globalSetup: [buildExtension, ...startMongodbIfAsked, 'test/web/support/global-setup.ts'],
        },
      },
      {
        test: {
          name: 'security',
          ...everyLane,
          include: ['lab/attack/**/*.test.ts'],
          globalSetup: [startKafka],
        },
      },
      {
        test: {
          name: 'mongodb',
          ...everyLane,
          include: [...mongodbTests, ...hostTestsOnMongodb],
          globalSetup: [sayWhatLacks, buildExtension, startMongodb],
          env: {
            ...everyLane.env,
            PI_LEDGER_TEST_STORE: 'mongodb',
            PI_LEDGER_TEST_HOSTS: process.env.PI_LEDGER_TEST_HOSTS ?? 'pi087',
          },
        },
      },
    ],
  },
});
