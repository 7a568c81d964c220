import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  type CommandLine,
  commandLine,
  explanationsIn,
  faultsIn,
} from '../support/command-line.ts';
import {
  type CorpusCase,
  type CorpusTotals,
  corpusCases,
  corpusDirectory,
  nanoUsdOf,
  sessionDirectories,
} from '../support/corpus.ts';

const directory = temporaryDirectory();
const cases = corpusCases();
const casesDirectory = join(corpusDirectory, 'cases');

interface Report {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly total: Readonly<Record<string, number | string>>;
}

async function report(ledger: CommandLine, by: string): Promise<Report> {
  const { code, printed } = await ledger.run('report', '--by', by, '--json');
  expect(code).toBe(0);
  return JSON.parse(printed) as Report;
}

function expectTotals({ total }: Report, truth: CorpusTotals): void {
  const { costUsd, subscriptionUsd, ...counts } = truth;
  expect(total).toMatchObject(counts);
  expect(BigInt(total.meteredNanoUsd ?? 0) + BigInt(total.unknownBillingNanoUsd ?? 0)).toBe(
    BigInt(nanoUsdOf(costUsd)),
  );
  expect(total.subscriptionNanoUsd).toBe(nanoUsdOf(subscriptionUsd));
}

function recordsBy({ rows }: Report, by: string): Record<string, number> {
  return Object.fromEntries(
    rows
      .filter(({ records }) => Number(records) > 0)
      .map((row) => [String(row[by]), Number(row.records)]),
  );
}

describe('the accounting corpus, imported', () => {
  it.each(cases)('$name: $about', async ({ home, config = {}, sameDirectoryTwice, ...truth }) => {
    const ledger = commandLine(directory, config, home);
    const named = sessionDirectories({ home } as CorpusCase).flatMap(
      ({ host, directory: path }) => [`--${host}`, path, `--${host}`, path],
    );
    const directories = sameDirectoryTwice ? named : [];
    expect(await ledger.run('import', ...directories)).toMatchObject({ code: 0 });
    expectTotals(await report(ledger, 'project'), truth.totals);
    expect(recordsBy(await report(ledger, 'kind'), 'kind')).toEqual(truth.recordsByKind);
    expect(recordsBy(await report(ledger, 'session'), 'session')).toEqual(truth.recordsBySession);
    const { code, answer } = await ledger.reconcile(...directories);
    expect({ code, faults: faultsIn(answer) }).toEqual({ code: 0, faults: [] });
    expect(answer.totals.log).toEqual(answer.totals.views);
  });

  const explained: readonly (readonly [name: string, reasons: readonly string[]])[] = [
    ['plain-pi15', []],
    ['pi-fork', ['copied']],
    ['fork-of-fork', ['copied']],
    ['duplicated-file', ['copied']],
    ['same-directory-twice', []],
    ['ancestor-gone', ['owner_assumed']],
    ['half-line', ['unreadable_line']],
    ['omp-subagent', []],
    ['omp-subagent-gone', ['subagent_claim']],
    ['pi-subagent-no-session', ['subagent_claim']],
    ['private', ['copied', 'private']],
  ];
  it.each(explained)('%s has the explained differences %j', async (name, reasons) => {
    const ledger = commandLine(directory, {}, join(casesDirectory, name, 'home'));
    await ledger.run('import');
    expect(explanationsIn((await ledger.reconcile()).answer)).toEqual(reasons);
  });
});

describe('the whole corpus', () => {
  const truth = sumOfTruth(cases);
  const everything = ['--pi', casesDirectory];

  it('imported a second time changes nothing', async () => {
    const ledger = commandLine(directory);
    await ledger.run('import', ...everything);
    const before = await reports(ledger);
    const again = commandLine(directory);
    await again.run('import', ...everything);
    await again.run('import', ...everything);
    expect(await reports(again)).toEqual(before);
    expectTotals(await report(again, 'project'), truth);
  });

  it('has the same reports whatever the order its cases are imported in', async () => {
    const ledger = commandLine(directory);
    await ledger.run('import', ...everything);
    const expected = await reports(ledger);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...cases], { minLength: cases.length }),
        async (order) => {
          const shuffled = commandLine(directory);
          for (const each of order) await shuffled.run('import', '--pi', each.home);
          expect(await reports(shuffled)).toEqual(expected);
          expect((await shuffled.reconcile(...everything)).code).toBe(0);
        },
      ),
      { numRuns: 3 },
    );
  });

  it('has the same totals in whatever order its files arrive', async () => {
    const files = readdirSync(casesDirectory, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.jsonl'),
    );
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(files, { minLength: files.length }), async (order) => {
        const arrived = mkdtempSync(join(directory, 'arrived-'));
        const ledger = commandLine(directory);
        for (const file of asWritten(order)) {
          mkdirSync(dirname(join(arrived, file)), { recursive: true });
          cpSync(join(casesDirectory, file), join(arrived, file));
          await ledger.run('import', '--pi', arrived);
        }
        expectTotals(await report(ledger, 'project'), truth);
      }),
      { numRuns: 2 },
    );
  });
});

describe('the tables of the README', () => {
  const readme = readFileSync(join(corpusDirectory, 'README.md'), 'utf8');

  it.each(cases)('add up to the truth of $name', ({ name, totals }) => {
    const [, section = ''] = readme.split(`### ${name}\n`);
    const rows = (section.split('\n### ')[0] ?? '')
      .split('\n')
      .filter((line) => /^\| [0-9a-f]{4} \|/.test(line))
      .map(cellsOf);
    const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0);
    expect(rows.length).toBe(totals.records);
    expect([3, 4, 5, 6].map(sum)).toEqual([
      totals.inputTokens,
      totals.outputTokens,
      totals.cacheReadTokens,
      totals.cacheWriteTokens,
    ]);
    const amounts = rows.map((row) => row[7] ?? '');
    const nano = (fits: (amount: string) => boolean) =>
      amounts
        .filter((amount) => /^[\d.]+/.test(amount) && fits(amount))
        .reduce((total, amount) => total + BigInt(nanoUsdOf(amount.split(' ')[0] ?? '')), 0n);
    expect(nano((amount) => !amount.includes('subscription'))).toBe(
      BigInt(nanoUsdOf(totals.costUsd)),
    );
    expect(nano((amount) => amount.includes('subscription'))).toBe(
      BigInt(nanoUsdOf(totals.subscriptionUsd)),
    );
    expect(amounts.filter((amount) => amount === 'n/a').length).toBe(totals.unpricedRecords);
    expect(amounts.filter((amount) => amount === 'unreported').length).toBe(
      totals.unreportedRecords,
    );
  });
});

/** omp writes an original before its copies; here nothing else distinguishes them. */
function asWritten(files: readonly string[]): readonly string[] {
  const isOrdered = (file: string) => file.includes('omp-tan');
  const sorted = files
    .filter(isOrdered)
    .sort((left, right) => (headerTime(left) < headerTime(right) ? -1 : 1));
  let next = 0;
  return files.map((file) => (isOrdered(file) ? (sorted[next++] ?? file) : file));
}

function headerTime(file: string): string {
  return (
    /"type":"session"[^\n]*"timestamp":"([^"]+)"/.exec(
      readFileSync(join(casesDirectory, file), 'utf8'),
    )?.[1] ?? ''
  );
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
}

async function reports(ledger: CommandLine): Promise<readonly Report[]> {
  return [
    await report(ledger, 'session'),
    await report(ledger, 'kind'),
    await report(ledger, 'model'),
    await report(ledger, 'day'),
  ];
}

/** Imported without any case's configuration, so no provider is a subscription. */
function sumOfTruth(all: readonly CorpusCase[]): CorpusTotals {
  const sum = (say: (totals: CorpusTotals) => number) =>
    all.reduce((total, { totals }) => total + say(totals), 0);
  const nano = all.reduce(
    (total, { totals }) =>
      total + BigInt(nanoUsdOf(totals.costUsd)) + BigInt(nanoUsdOf(totals.subscriptionUsd)),
    0n,
  );
  const text = nano.toString().padStart(10, '0');
  return {
    records: sum(({ records }) => records),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    reasoningTokens: sum(({ reasoningTokens }) => reasoningTokens),
    unpricedRecords: sum(({ unpricedRecords }) => unpricedRecords),
    unreportedRecords: sum(({ unreportedRecords }) => unreportedRecords),
    costUsd: `${text.slice(0, -9)}.${text.slice(-9)}`,
    subscriptionUsd: '0',
  };
}
