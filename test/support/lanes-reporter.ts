import type { Reporter, TestModule } from 'vitest/node';

interface Lane {
  passed: number;
  failed: number;
  skipped: number;
  /** The server a lane ran on, if it needs one. */
  server?: string | undefined;
}

/**
 * Ends a run with one line per lane and a total, names the server that a lane ran on, and fails the
 * run if a lane named in `PI_LEDGER_LANES` (comma-separated) ran no test: a lane that could not
 * start must not look like one that passed.
 */
export class LanesReporter implements Reporter {
  readonly #required: readonly string[];

  constructor(required: readonly string[]) {
    this.#required = required;
  }

  onTestRunEnd(testModules: readonly TestModule[]): void {
    const lanes = countByLane(testModules);
    const missing = this.#required.filter((name) => (lanes.get(name)?.passed ?? 0) === 0);
    for (const [name, lane] of lanes) {
      const server = lane.server === undefined ? '' : `, on ${lane.server}`;
      console.log(`lane ${name}: ${closingLine(lane)}${server}`);
    }
    for (const name of missing) {
      console.log(`lane ${name}: DID NOT RUN, and PI_LEDGER_LANES says that it must`);
      process.exitCode = 1;
    }
    console.log(closingLine(sum([...lanes.values()])));
  }
}

export function requiredLanes(environment: NodeJS.ProcessEnv): string[] {
  return (environment.PI_LEDGER_LANES ?? '').split(',').filter((name) => name !== '');
}

function countByLane(testModules: readonly TestModule[]): Map<string, Lane> {
  const lanes = new Map<string, Lane>();
  for (const testModule of testModules) {
    const lane = lanes.get(testModule.project.name) ?? {
      passed: 0,
      failed: 0,
      skipped: 0,
      server: serverOf(testModule),
    };
    lanes.set(testModule.project.name, lane);
    const states = [...testModule.children.allTests()].map((test) => test.result().state);
    for (const state of states)
      lane[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
    // A failure outside of a test (an import, a hook) skips the tests after it, and must not look
    // like success.
    if (testModule.state() === 'failed' && !states.includes('failed')) lane.failed += 1;
  }
  return lanes;
}

/** Provided by the lane's global setup. */
function serverOf({ project }: TestModule): string | undefined {
  const { laneServer } = project.getProvidedContext() as { laneServer?: string };
  return laneServer;
}

function sum(lanes: readonly Lane[]): Lane {
  return lanes.reduce(
    (total, lane) => ({
      passed: total.passed + lane.passed,
      failed: total.failed + lane.failed,
      skipped: total.skipped + lane.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

function closingLine(lane: Lane): string {
  const skipped = lane.skipped === 0 ? '' : `, ${lane.skipped} skipped`;
  return `${lane.passed} passed, ${lane.failed} failed${skipped}`;
}
