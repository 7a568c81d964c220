/**
 * Stryker's test runner that keeps Vitest and the loaded sources from one mutant to the next: the
 * tests run in test-thread.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { BroadcastChannel } from 'node:worker_threads';
import { createVitest, type Vitest } from 'vitest/node';
import {
  channelName,
  type MutantOutcome,
  type MutantTrial,
  type Reply,
  type Request,
  type TestOutcome,
} from './messages.ts';

interface MutantRun {
  readonly activeMutant: { readonly id: string };
  /** None: all. */
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
}

/** Where a process that replaces another one finds how long the tests took. */
const durationsFile = 'mutation-durations.json';

export class InProcessRunner {
  #vitest: Vitest | undefined;
  readonly #channel = new BroadcastChannel(channelName);
  #reply: PromiseWithResolvers<Reply> = Promise.withResolvers();
  /** By test; tests that take long are tried last. */
  #durations: Readonly<Record<string, number>> | undefined;
  /** The file that noticed the mutant before is tried first. */
  #lastFailed = '';
  #mutantsTried = 0;
  #isSpoilt = false;

  /** No mutant is there while files are loaded, so there is never a need to load them anew. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    process.env.NODE_ENV = 'test';
    process.env.VITEST = '1';
    this.#channel.onmessage = ({ data }) => this.#reply.resolve(data as Reply);
    const vitest = await createVitest('test', {
      config: 'lab/mutation/vitest.config.ts',
      pool: 'threads',
      maxWorkers: 1,
      watch: false,
      coverage: { enabled: false },
      onConsoleLog: () => false,
    });
    this.#vitest = vitest;
    const [first] = await vitest.globTestSpecifications();
    if (first === undefined) throw new Error('There are no tests.');
    // Does not end before the process does.
    vitest.start([first.moduleId]).catch((error: unknown) => this.#reply.reject(error));
    await this.#next();
  }

  async dryRun() {
    const specifications = (await this.#vitest?.globTestSpecifications()) ?? [];
    const files = specifications.map(({ moduleId }) => moduleId);
    const reply = await this.#ask({ kind: 'coverage', files });
    if (reply.kind !== 'coverage') return { status: 'error', errorMessage: JSON.stringify(reply) };
    this.#durations = Object.fromEntries(
      reply.tests.map(({ id, durationMs }) => [id, durationMs] as const),
    );
    writeFileSync(durationsFile, JSON.stringify(this.#durations));
    return {
      status: 'complete',
      tests: reply.tests.map((test) => testResultOf(test)),
      mutantCoverage: reply.coverage,
    };
  }

  /**
   * Rejects if what an earlier mutant left behind decides: Stryker tries again in a new process.
   */
  async mutantRun(run: MutantRun) {
    if (this.#isSpoilt) throw new Error('An earlier mutant left something behind.');
    const reply = await this.#ask({ kind: 'mutant', run: this.#trialOf(run) });
    if (reply.kind !== 'mutant') throw new Error(JSON.stringify(reply));
    const isFirst = this.#mutantsTried === 0;
    this.#mutantsTried += 1;
    if (reply.outcome.failsWithoutMutant) {
      this.#isSpoilt = true;
      if (!isFirst) throw new Error('An earlier mutant left something behind.');
    }
    this.#lastFailed = fileOf(reply.outcome.failure?.id ?? '') || this.#lastFailed;
    return mutantResultOf(reply.outcome, run.hitLimit);
  }

  /** The thread with the tests would keep everything waiting: its process is ended by Stryker. */
  async dispose(): Promise<void> {
    this.#channel.close();
  }

  #trialOf({ activeMutant, testFilter, hitLimit }: MutantRun): MutantTrial {
    this.#durations ??= JSON.parse(readFileSync(durationsFile, 'utf8')) as Record<string, number>;
    const durations = this.#durations;
    const byFile = Map.groupBy(testFilter ?? Object.keys(durations), fileOf);
    const files = [...byFile].map(([path, ids]) => ({
      path,
      testIds: ids.map((id) => id.slice(path.length + 1)),
      durationMs: ids.reduce((sum, id) => sum + (durations[id] ?? 0), 0),
    }));
    const rank = ({ path, durationMs }: (typeof files)[number]) =>
      path === this.#lastFailed && durationMs < 1_000 ? -1 : durationMs;
    files.sort((one, other) => rank(one) - rank(other));
    return { mutantId: activeMutant.id, hitsMax: hitLimit, files };
  }

  async #ask(request: Request): Promise<Reply> {
    this.#channel.postMessage(request);
    return this.#next();
  }

  async #next(): Promise<Reply> {
    const reply = await this.#reply.promise;
    this.#reply = Promise.withResolvers();
    return reply;
  }
}

const fileOf = (testId: string) => testId.slice(0, Math.max(0, testId.lastIndexOf('#')));

function testResultOf({ id, name, durationMs, state, message }: TestOutcome) {
  const base = { id, name, timeSpentMs: durationMs };
  if (state === 'failed') return { ...base, status: 1, failureMessage: message };
  return { ...base, status: state === 'passed' ? 0 : 2 };
}

function mutantResultOf({ failure, hits, testsRun }: MutantOutcome, hitsMax: number | undefined) {
  if (hitsMax !== undefined && hits > hitsMax)
    return { status: 'timeout', reason: `Ran ${hits} times` };
  if (failure === null) return { status: 'survived', nrOfTests: testsRun };
  return {
    status: 'killed',
    killedBy: [failure.id],
    failureMessage: failure.message,
    nrOfTests: testsRun,
  };
}
