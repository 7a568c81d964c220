/**
 * `npm run mutate [-- folder...] [options]`: makes small changes to the code, one at a time, and
 * lists those that no test notices.
 *
 * Takes hours. Unchanged files with a result in `.mutation/` are skipped, so an interrupted run
 * continues. Exit code 0 whatever the scores are, 1 if something could not be measured, 2 for a
 * usage error.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Folder, filesOf, folders } from './folders.ts';
import { readResult, type Survivor } from './results.ts';
import { runStryker } from './stryker.ts';
import { writeScores } from './summary.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const usage = `npm run mutate [-- folder or file...] [options]
  folders: ${folders.map(({ name }) => name).join(', ')} (default: all)
  --again             measure what was measured too: with the tests of today
  --survivors         try again what survived, and nothing else
  --list              print what survived, and measure nothing
  --maxWorkers <n>    mutants that are tried at a time (2)`;

interface Request {
  readonly files: readonly { readonly folder: Folder; readonly file: string }[];
  readonly again: boolean;
  readonly survivors: boolean;
  readonly list: boolean;
  readonly maxWorkers: number;
}

async function main(args: readonly string[]): Promise<number> {
  const request = readRequest(args);
  if (request === null) {
    console.error(usage);
    return 2;
  }
  if (request.list) {
    for (const line of request.files.flatMap(({ file }) => linesOf(file))) console.log(line);
    return 0;
  }
  let failed = 0;
  for (const [folder, files] of Map.groupBy(request.files, ({ folder }) => folder)) {
    const names = files.map(({ file }) => file);
    if (!(await areMeasured(folder, names, request))) failed += 1;
  }
  return failed > 0 ? 1 : 0;
}

/** An interrupted run loses no more than these; each run of Stryker begins with all tests. */
const filesAtOnce = 8;

/** False if they could not be measured; the next folder may be. */
async function areMeasured(
  folder: Folder,
  named: readonly string[],
  { again, survivors, maxWorkers }: Request,
): Promise<boolean> {
  const files = [...new Set(named)].filter((file) => {
    const known = readResult(root, file);
    if (survivors) return known?.isCurrent === true && known.survivors.length > 0;
    return again || known?.isCurrent !== true;
  });
  try {
    for (let from = 0; from < files.length; from += filesAtOnce) {
      const some = files.slice(from, from + filesAtOnce);
      await runStryker({
        root,
        folder,
        files: some,
        isSurvivorsOnly: survivors,
        concurrency: maxWorkers,
      });
    }
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`${folder.name} could not be measured: ${reason}`);
    return false;
  } finally {
    writeScores(root);
  }
}

function readRequest(args: readonly string[]): Request | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        again: { type: 'boolean', default: false },
        survivors: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        maxWorkers: { type: 'string', default: '2' },
      },
      allowPositionals: true,
    });
    const maxWorkers = Number(values.maxWorkers);
    const files = filesNamed(positionals);
    if (files.length === 0 || !Number.isInteger(maxWorkers) || maxWorkers < 1) return null;
    const { again, survivors, list } = values;
    return { files, again, survivors, list, maxWorkers };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return null;
  }
}

function filesNamed(names: readonly string[]): Request['files'] {
  const all = folders.flatMap((folder) => filesOf(folder, root).map((file) => ({ folder, file })));
  if (names.length === 0) return all;
  return names.flatMap((name) => {
    const named = all.filter(({ folder, file }) => folder.name === name || file === name);
    if (named.length === 0)
      throw new Error(`${name} is neither a folder nor a file that is measured.`);
    return named;
  });
}

function linesOf(file: string): readonly string[] {
  const result = readResult(root, file);
  if (result === null) return [`${file}: not measured yet`];
  const lines = result.survivors.map((survivor) => lineOf(file, survivor));
  return result.isCurrent ? lines : [`${file}: has changed since it was measured`, ...lines];
}

function lineOf(file: string, { line, column, was, became, isUncovered }: Survivor): string {
  const note = isUncovered ? ' (no test runs it)' : '';
  return `${file}:${line}:${column}${note}\n  - ${was}\n  + ${became}`;
}

process.exitCode = await main(process.argv.slice(2));
