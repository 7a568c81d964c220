/**
 * Families of sessions with forks and subagents, clocks set back, and files deleted before and
 * between imports: one set of files gives one report, which is true, or reconcile says that it is
 * not. `PI_LEDGER_TEST_RUNS` and `PI_LEDGER_TEST_SEED` search further.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { omp } from '../../../collector/importers/omp/importer.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
import { commandLine } from '../reconcile/support/command-line.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { openBooks } from './support/books.ts';
import { familyOf, type Host, wishes } from './support/families.ts';
import { writeSession } from './support/files.ts';
import type { File } from './support/ways.ts';

const root = temporaryDirectory();
const importers = { pi, omp };
const { PI_LEDGER_TEST_RUNS: runs = '20', PI_LEDGER_TEST_SEED: seed } = process.env;
const parameters = { numRuns: Number(runs), ...(seed !== undefined && { seed: Number(seed) }) };

/** Files added before an import, and files deleted after it. */
interface Step {
  readonly adds: File[];
  readonly removes: File[];
}

const ignoringOne = {
  projects: [{ match: '/srv/0', ignore: true as const }],
  billing: {},
  labels: [],
};

async function take(
  steps: readonly Step[],
  importAll: (directory: string) => Promise<unknown>,
): Promise<string> {
  const home = mkdtempSync(join(root, 'sessions-'));
  for (const { adds, removes } of steps) {
    for (const { name, session } of adds) writeSession(home, session, name);
    await importAll(home);
    for (const { name } of removes) rmSync(join(home, name));
  }
  return home;
}

async function reported(host: Host, steps: readonly Step[]) {
  const books = await openBooks(root, importers[host]);
  await take(steps, (home) => books.import(home));
  const report = {
    total: await books.total(),
    bySession: await books.report(undefined, 'session', 'project'),
    ignoringOne: await books.total(ignoringOne),
  };
  await books.close();
  return report;
}

function tokensIn(total: string): number {
  return Number(/(\d+) tokens/.exec(total)?.[1] ?? 0);
}

/** Of the imports, and of reconcile at the end. */
async function exitsOf(host: Host, steps: readonly Step[]) {
  const ledger = commandLine(root);
  const imports: number[] = [];
  const home = await take(steps, async (directory) => {
    imports.push((await ledger.run('import', `--${host}`, directory)).code);
  });
  return { imports, reconcile: (await ledger.run('reconcile', `--${host}`, home)).code };
}

type Choose = () => number;

function stepsOf(files: readonly File[], choose: Choose): Step[] {
  const steps: Step[] = [{ adds: [], removes: [] }];
  for (const file of shuffled(files, choose)) {
    if (choose() > 1) steps.push({ adds: [], removes: [] });
    steps.at(-1)?.adds.push(file);
    if (choose() === 0) steps.at(-1)?.removes.push(file);
  }
  return steps;
}

function shuffled<Item>(items: readonly Item[], choose: Choose): Item[] {
  return items
    .map((item) => ({ item, weight: choose() * 16 + choose() * 4 + choose() }))
    .toSorted((left, right) => left.weight - right.weight)
    .map(({ item }) => item);
}

describe.each(['pi', 'omp'] as const)('a report of session files of %s', (host) => {
  it('with forks and subagents depends on the set alone, and is true or a fault', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, fc.infiniteStream(fc.nat(3)), async (wanted, choices) => {
        const choose = () => choices.next().value ?? 0;
        const { files, spentIn } = familyOf(host, wanted);
        const there = files.filter(() => choose() > 0);
        const steps = stepsOf(there, choose);
        const found = await reported(host, steps);
        // What lost its price under a set-back clock counts as an entry of its own in some orders.
        if (host === 'pi' || !wanted.some(({ losesPrices }) => losesPrices))
          expect(found).toEqual(await reported(host, [{ adds: there, removes: [] }]));
        const tokens = tokensIn(found.total);
        expect(tokensIn(found.ignoringOne)).toBeLessThanOrEqual(tokens);
        const spent = spentIn(there);
        if (tokens === spent) return;
        const exits = await exitsOf(host, steps);
        // The import names what it leaves out; its file may be gone when reconcile looks.
        const told = tokens > spent ? [exits.reconcile] : [...exits.imports, exits.reconcile];
        expect(told).toContain(1);
      }),
      parameters,
    );
  });
});
