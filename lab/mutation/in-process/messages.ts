/**
 * What Stryker's side (in-process-runner.ts) and the thread with the tests (test-thread.ts) say to
 * each other, one request at a time.
 */
export const channelName = 'pi-ledger-mutation';

/** Stryker's name of a test: `file#task id`. The same in each process. */
export type TestId = string;

export type Request =
  /** Runs all tests of these files, and says which mutants each of them meets. */
  | { readonly kind: 'coverage'; readonly files: readonly string[] }
  | { readonly kind: 'mutant'; readonly run: MutantTrial };

export interface MutantTrial {
  readonly mutantId: string;
  /** How often it may run before it counts as an endless loop. */
  readonly hitsMax: number | undefined;
  /** In the order in which they are run. */
  readonly files: readonly { readonly path: string; readonly testIds: readonly string[] }[];
}

export type Reply =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'coverage';
      readonly tests: readonly TestOutcome[];
      readonly coverage: unknown;
    }
  | { readonly kind: 'mutant'; readonly outcome: MutantOutcome }
  | { readonly kind: 'broken'; readonly message: string };

export interface TestOutcome {
  readonly id: TestId;
  readonly name: string;
  readonly durationMs: number;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly message: string;
}

export interface MutantOutcome {
  readonly testsRun: number;
  readonly hits: number;
  /** The first one; null if all passed. */
  readonly failure: { readonly id: TestId; readonly message: string } | null;
  /** The failed test fails without the mutant, too: the mutant left something behind. */
  readonly failsWithoutMutant: boolean;
}
