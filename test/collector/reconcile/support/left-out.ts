/** Session files with unreadable parts, and what the command line says of them. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, explanationsIn, faultsIn } from './command-line.ts';

export const sessionFileName = '2026-03-01T09-00-00-000Z_s1.jsonl';

export const at = (second: number) => `2026-03-01T09:00:${String(second).padStart(2, '0')}.000Z`;

export const usage = (input: number) => ({
  input,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: input + 1,
  cost: { total: 0.001 },
});

export function answer(id: string, second: number, more: object = {}): string {
  const message = {
    role: 'assistant',
    content: [],
    provider: 'p',
    model: 'm',
    usage: usage(10),
    responseId: `r-${id}`,
    timestamp: 1,
    ...more,
  };
  return JSON.stringify({ type: 'message', id, parentId: null, timestamp: at(second), message });
}

export const header = (more: object = {}) =>
  JSON.stringify({ type: 'session', version: 3, id: 's1', timestamp: at(0), cwd: '/p', ...more });

/** Imports a file of these lines twice into a new ledger: what each command then says. */
export function importingInto(directory: string) {
  return async (lines: readonly string[], { fileName = sessionFileName, end = '\n' } = {}) => {
    const sessions = mkdtempSync(join(directory, 'sessions-'));
    writeFileSync(join(sessions, fileName), lines.join('\n') + end);
    const ledger = commandLine(directory);
    const imported = await ledger.run('import', '--pi', sessions);
    const again = await ledger.run('import', '--pi', sessions);
    const report = await ledger.run('report');
    const { leftOut, total } = JSON.parse((await ledger.run('report', '--json')).printed);
    const { code, answer: found } = await ledger.reconcile('--pi', sessions);
    return {
      codes: [imported.code, again.code, report.code, code],
      faults: faultsIn(found),
      explanations: explanationsIn(found),
      note: report.printed.split('\n').filter((line) => line.includes('may hold spend')),
      complained: imported.complained,
      leftOut,
      records: total.records,
    };
  };
}
