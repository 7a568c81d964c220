/**
 * Vitest's runner in the thread that holds the tests: loads the sources once, and runs the tests
 * that meet a mutant again and again. Vitest itself would begin a thread for each mutant, and load
 * everything in it.
 *
 * A test is believed to notice a mutant only if it passes right afterwards without it; otherwise a
 * mutant has left something behind in memory, and the answer says so.
 */
import { BroadcastChannel } from 'node:worker_threads';
import fc from 'fast-check';
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner, vi } from 'vitest';
import { startTests } from 'vitest/internal/browser';
import {
  channelName,
  type MutantOutcome,
  type MutantTrial,
  type Reply,
  type Request,
  type TestId,
  type TestOutcome,
} from './messages.ts';

/** What Stryker's instrumented code reads. */
interface Instruments {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: unknown;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

/**
 * A property that has not noticed a mutant for so long gives up, and the mutant survives it. To see
 * what it meets, it has more time.
 */
const propertyMs = { mutant: 250, coverage: 2_000 };

const instruments: Instruments = {};
(globalThis as unknown as { __stryker__: Instruments }).__stryker__ = instruments;

interface TestFile {
  readonly path: string;
  readonly testIds?: readonly string[];
}

export default class TestThread extends TestRunner {
  #isServing = false;
  #mutantId: string | undefined;
  #hasFailed = false;
  /** No mutant was tried since the sources were loaded. */
  #isFresh = true;

  /** Called before the first file: never returns, but serves requests. */
  async onBeforeCollect(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    this.#reportNothing();
    const channel = new BroadcastChannel(channelName);
    const send = (reply: Reply) => channel.postMessage(reply);
    channel.onmessage = ({ data }) => {
      this.#answer(data as Request).then(send, (error: unknown) =>
        send({ kind: 'broken', message: String(error) }),
      );
    };
    send({ kind: 'ready' });
    await Promise.withResolvers<never>().promise;
  }

  /** Vitest tells its main thread about each test otherwise. */
  #reportNothing(): void {
    const own = this as unknown as Record<string, unknown>;
    const proto = TestThread.prototype as unknown as Record<string, unknown>;
    for (const name of ['onTaskUpdate', 'onCollected', 'onAfterRunSuite'])
      own[name] = () => Promise.resolve();
    for (const name of ['onCollectStart', 'onAfterRunFiles', 'onAfterRunTask'])
      own[name] = proto[name];
  }

  async #answer(request: Request): Promise<Reply> {
    // One failing example is enough: shrinking it takes longer than everything else.
    fc.configureGlobal({
      endOnFailure: true,
      interruptAfterTimeLimit: propertyMs[request.kind],
    });
    return request.kind === 'coverage'
      ? this.#coverageOf(request.files)
      : { kind: 'mutant', outcome: await this.#judged(request.run) };
  }

  async #coverageOf(paths: readonly string[]): Promise<Reply> {
    instruments.mutantCoverage = { static: {}, perTest: {} };
    const tests: TestOutcome[] = [];
    for (const path of paths) {
      const file = await this.#ran({ path });
      tests.push(...outcomesOf(file));
    }
    return { kind: 'coverage', tests, coverage: instruments.mutantCoverage };
  }

  /** Once more with everything loaded anew if something was left in memory. */
  async #judged(trial: MutantTrial): Promise<MutantOutcome> {
    const wasFresh = this.#isFresh;
    this.#isFresh = false;
    const outcome = await this.#tried(trial);
    if (!outcome.failsWithoutMutant || outcome.failure === null) return outcome;
    vi.resetModules();
    this.#isFresh = true;
    if (!wasFresh) return this.#judged({ ...trial, files: withFirst(trial, outcome.failure.id) });
    // This mutant left it there. Unless even what is loaded anew fails: only a new process helps.
    const failsWithoutMutant = await this.#failsWithoutMutant(outcome.failure.id);
    return { ...outcome, failsWithoutMutant };
  }

  async #tried({ mutantId, hitsMax, files }: MutantTrial): Promise<MutantOutcome> {
    instruments.hitCount = 0;
    instruments.hitLimit = hitsMax;
    this.#mutantId = mutantId;
    this.#hasFailed = false;
    let testsRun = 0;
    for (const file of files) {
      const outcomes = outcomesOf(await this.#ran(file));
      testsRun += outcomes.filter(({ state }) => state !== 'skipped').length;
      const failed = outcomes.find(({ state }) => state === 'failed');
      if (failed === undefined) continue;
      const hits = instruments.hitCount ?? 0;
      return {
        testsRun,
        hits,
        failure: { id: failed.id, message: failed.message },
        failsWithoutMutant: await this.#failsWithoutMutant(failed.id),
      };
    }
    const hits = instruments.hitCount ?? 0;
    return { testsRun, hits, failure: null, failsWithoutMutant: false };
  }

  async #failsWithoutMutant(id: TestId): Promise<boolean> {
    this.#mutantId = undefined;
    instruments.hitCount = undefined;
    this.#hasFailed = false;
    const end = id.lastIndexOf('#');
    const file = { path: id.slice(0, end), testIds: [id.slice(end + 1)] };
    return outcomesOf(await this.#ran(file)).some(({ state }) => state === 'failed');
  }

  async #ran({ path, testIds }: TestFile): Promise<RunnerTestFile> {
    (this as unknown as { workerState: { filepath: string } }).workerState.filepath = path;
    const spec = { filepath: path, ...(testIds !== undefined && { testIds: [...testIds] }) };
    try {
      const [file] = await startTests([spec] as never, this as never);
      return file as unknown as RunnerTestFile;
    } finally {
      instruments.activeMutant = undefined;
      vi.useRealTimers();
      vi.restoreAllMocks();
    }
  }

  /** While a file is loaded, there is no mutant. */
  onBeforeRunFiles(): void {
    instruments.activeMutant = this.#mutantId;
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    if (this.#hasFailed) test.mode = 'skip';
    await super.onBeforeRunTask(test as never);
  }

  override onBeforeTryTask(...[test, options]: Parameters<TestRunner['onBeforeTryTask']>): void {
    super.onBeforeTryTask(test, options);
    instruments.currentTestId = idOf(test as RunnerTestCase);
  }

  override onAfterRunTask(test: RunnerTask): void {
    super.onAfterRunTask(test as never);
    instruments.currentTestId = undefined;
    // While all tests run, to see what they meet, each of them counts.
    if (this.#mutantId !== undefined && test.result?.state === 'fail') this.#hasFailed = true;
  }
}

/** Fewer sources are loaded if what failed before fails at once. */
function withFirst({ files }: MutantTrial, failed: TestId): MutantTrial['files'] {
  const isFirst = ({ path }: TestFile) => failed.startsWith(`${path}#`);
  return [...files.filter(isFirst), ...files.filter((file) => !isFirst(file))];
}

function outcomesOf(file: RunnerTestFile): TestOutcome[] {
  const outcomes = testsBelow(file).map((test) => outcomeOf(test));
  const hasFailed = file.result?.state === 'fail';
  if (!hasFailed || outcomes.some(({ state }) => state === 'failed')) return outcomes;
  // What failed is no test, but what was to prepare some.
  const message = file.result?.errors?.[0]?.message ?? `${file.filepath} failed`;
  const [first, ...others] = outcomes;
  return first === undefined
    ? [{ id: `${file.filepath}#`, name: '', durationMs: 0, state: 'failed', message }]
    : [{ ...first, state: 'failed', message }, ...others];
}

function outcomeOf(test: RunnerTestCase): TestOutcome {
  const { state, duration, errors } = test.result ?? {};
  const outcome = state === 'pass' ? 'passed' : state === 'fail' ? 'failed' : 'skipped';
  return {
    id: idOf(test),
    name: test.fullTestName,
    durationMs: duration ?? 0,
    state: outcome,
    message: errors?.[0]?.message ?? '',
  };
}

function testsBelow({ tasks }: { tasks: RunnerTask[] }): RunnerTestCase[] {
  return tasks.flatMap((task) => (task.type === 'suite' ? testsBelow(task) : [task]));
}

const idOf = (test: RunnerTestCase) => `${test.file.filepath}#${test.id}`;
