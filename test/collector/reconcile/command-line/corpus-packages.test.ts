/**
 * Real packages of pi and omp, recorded with real hosts: however a ledger comes to know of them, it
 * says what the fake model answered, less what nobody could see.
 */
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { type CommandLine, commandLine, faultsIn } from '../support/command-line.ts';
import {
  answersOf,
  filesBelow,
  type PackageCase,
  packageCases,
  recordedScenarios,
  rightTotals,
  type Way,
} from '../support/package-corpus.ts';

const directory = temporaryDirectory();
const cases = packageCases();
const recordedLive = cases.filter(({ events }) => events.length > 0);

describe('a package of the corpus', () => {
  it.each(recordedLive)('$name, live: $about', async (each) => {
    const ledger = ledgerFor(each.home);
    await record(ledger, each);
    await expectRight(ledger, each, 'live');
  });

  it.each(cases)('$name, imported: $about', async (each) => {
    const ledger = ledgerFor(each.home);
    await importFiles(ledger, each);
    await expectRight(ledger, each, 'import');
    await expectExplained(ledger, each);
  });

  it.each(recordedLive)('$name, live and then imported, and rebuilt', async (each) => {
    const ledger = ledgerFor(each.home);
    await record(ledger, each);
    await importFiles(ledger, each);
    await expectRight(ledger, each, 'both');
    await expectExplained(ledger, each);
    await rebuild(ledger);
    await expectRight(ledger, each, 'both');
  });

  it.each(recordedLive)('$name, imported and then live', async (each) => {
    const ledger = ledgerFor(each.home);
    await importFiles(ledger, each);
    await record(ledger, each);
    await expectRight(ledger, each, 'both');
  });

  it.each(cases.filter((each) => filesBelow(each.home, '.jsonl').length > 1))(
    '$name, its files imported one by one, from either end, and rebuilt',
    async (each) => {
      const files = filesBelow(each.home, '.jsonl');
      for (const order of each.private === undefined
        ? [files, files.toReversed()]
        : [shortestFirst(files)]) {
        const home = mkdtempSync(join(directory, 'arrived-'));
        const ledger = ledgerFor(home);
        for (const file of order) {
          const arrived = join(home, relative(each.home, file));
          mkdirSync(dirname(arrived), { recursive: true });
          cpSync(file, arrived);
          await importFiles(ledger, { ...each, home });
        }
        await expectRight(ledger, each, 'import');
        await rebuild(ledger);
        await expectRight(ledger, each, 'import');
      }
    },
  );
});

/**
 * A subagent of a private stretch that is imported alone, before its parent's file exists, cannot
 * be known for one.
 */
function shortestFirst(files: readonly string[]): readonly string[] {
  return files.toSorted((left, right) => left.length - right.length);
}

describe('the recordings of packages', () => {
  it('have a line each in packages.json', () => {
    expect(recordedScenarios().toSorted()).toEqual(cases.map(({ name }) => name).toSorted());
  });

  it.each(cases)('$name names no request that the fake model did not answer', (each) => {
    const { live, import: imported, private: hidden = [] } = each;
    const named = [...(live?.unseen ?? []), ...(imported?.unseen ?? []), ...hidden];
    const answered = answersOf(each).map(({ n }) => n);
    expect(named.filter((n) => !answered.includes(n))).toEqual([]);
  });
});

/** The recordings are of the day before. */
function ledgerFor(home: string): CommandLine {
  return commandLine(directory, {}, home, new Date('2026-11-29T12:00:00Z'));
}

async function record(ledger: CommandLine, { events }: PackageCase): Promise<void> {
  for (const path of events)
    expect(await ledger.run('import-events', path)).toMatchObject({ code: 0 });
}

async function importFiles(ledger: CommandLine, each: PackageCase): Promise<void> {
  expect(await ledger.run('import', ...directoriesOf(each))).toMatchObject({ code: 0 });
}

function directoriesOf({ home, host, directory: path }: PackageCase): readonly string[] {
  return path === undefined ? [] : [`--${host}`, join(home, path)];
}

async function rebuild(ledger: CommandLine): Promise<void> {
  expect(await ledger.run('rebuild', 'sessions')).toMatchObject({ code: 0 });
}

async function expectRight(ledger: CommandLine, each: PackageCase, way: Way): Promise<void> {
  const { nanoUsd, ...counts } = rightTotals(each, way);
  const { total } = JSON.parse((await ledger.run('report', '--json')).printed) as {
    readonly total: Readonly<Record<string, number | string>>;
  };
  expect(total).toMatchObject(counts);
  expect(
    BigInt(total.meteredNanoUsd ?? 0) +
      BigInt(total.subscriptionNanoUsd ?? 0) +
      BigInt(total.unknownBillingNanoUsd ?? 0),
  ).toBe(nanoUsd);
}

async function expectExplained(ledger: CommandLine, each: PackageCase): Promise<void> {
  const { code, answer } = await ledger.reconcile(...directoriesOf(each));
  expect({ code, faults: faultsIn(answer) }).toEqual({ code: 0, faults: [] });
}
