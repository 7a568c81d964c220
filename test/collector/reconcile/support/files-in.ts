/** Session files that come in several imports, and what the command line says after the last. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandLine, explanationsIn, faultsIn } from './command-line.ts';

/** Lines, or a whole text, by path. */
export type Files = Readonly<Record<string, readonly string[] | string>>;

/** Files of one import stay for the next. */
export function importingFiles(within: string, host: 'pi' | 'omp') {
  return async (...imports: readonly Files[]) => {
    const sessions = mkdtempSync(join(within, 'sessions-'));
    const ledger = commandLine(within);
    let imported = { code: 0, printed: '', complained: '' };
    for (const files of imports) {
      for (const [name, lines] of Object.entries(files)) write(join(sessions, name), lines);
      imported = await ledger.run('import', `--${host}`, sessions);
    }
    const { total, leftOut } = JSON.parse((await ledger.run('report', '--json')).printed);
    const { code, answer } = await ledger.reconcile(`--${host}`, sessions);
    return {
      codes: [imported.code, code],
      complained: imported.complained.replaceAll(`${sessions}/`, ''),
      records: total.records,
      leftOut: leftOut.count,
      faults: faultsIn(answer),
      explanations: explanationsIn(answer),
      differences: answer.differences,
      problems: answer.problems.map(({ message }) => message),
    };
  };
}

/** All files in one import, and one after another in this order and in the other. */
export function waysOf(files: Files): readonly (readonly Files[])[] {
  const single = Object.entries(files).map(([name, lines]) => ({ [name]: lines }));
  return [[files], single, single.toReversed()];
}

function write(path: string, lines: readonly string[] | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof lines === 'string' ? lines : `${lines.join('\n')}\n`);
}
