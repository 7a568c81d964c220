/** Sums beyond 2^53, where doubles are no longer exact. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine, faultsIn } from '../support/command-line.ts';

const directory = temporaryDirectory();

/** An odd number above 2^53, which no double represents. */
const inputTokens = '9099999999972699';

it('sums beyond the digits of a double are compared and shown exactly', async () => {
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  const startMs = Date.parse('2026-03-01T09:00:00.000Z');
  const lines = Array.from({ length: 9_100 }, (_, index) => {
    const usage = {
      input: 1e12 - (index % 7) - (index === 0 ? 1 : 0),
      output: 1,
      cacheRead: index % 2,
      cacheWrite: 0,
      totalTokens: 2,
      cost: { total: 0.001 },
    };
    const message = {
      role: 'assistant',
      content: [],
      provider: 'p',
      model: 'm',
      usage,
      responseId: `r${index}`,
      timestamp: index,
    };
    const timestamp = new Date(startMs + index * 1_000).toISOString();
    return JSON.stringify({
      type: 'message',
      id: `a${index}`,
      parentId: index === 0 ? null : `a${index - 1}`,
      timestamp,
      message,
    });
  });
  const header = JSON.stringify({
    type: 'session',
    version: 3,
    id: 's1',
    timestamp: new Date(startMs).toISOString(),
    cwd: '/p',
  });
  writeFileSync(join(sessions, 's1.jsonl'), `${[header, ...lines].join('\n')}\n`);
  const ledger = commandLine(directory);
  expect(await ledger.run('import', '--pi', sessions)).toMatchObject({ code: 0 });
  const { code, answer } = await ledger.reconcile('--pi', sessions);
  expect({ code, faults: faultsIn(answer) }).toEqual({ code: 0, faults: [] });
  const { files, log, views } = answer.totals;
  expect([files, log, views].map((total) => total.inputTokens)).toEqual([
    inputTokens,
    inputTokens,
    inputTokens,
  ]);
  const report = JSON.parse((await ledger.run('report', '--json')).printed);
  expect(report).toMatchObject({
    rows: [{ inputTokens, outputTokens: 9_100 }],
    total: { inputTokens },
  });
  const shown = ['report', 'sessions'].map(async (command) => (await ledger.run(command)).printed);
  for (const printed of await Promise.all(shown))
    expect(printed).toContain('9,099,999,999,972,699');
  expect((await ledger.run('report', '--csv')).printed).toContain(`,${inputTokens},`);
  const { code: damaged } = await ledger.reconcile('--pi', mkdtempSync(join(directory, 'none-')));
  expect(damaged).toBe(0);
});
