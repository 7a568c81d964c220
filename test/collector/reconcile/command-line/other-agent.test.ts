/**
 * A session of Claude Code or Codex that omp continues (`--from-claude`): its messages stand in
 * omp's file, those of Claude Code with tokens, once for each block of an answer, and those of
 * Codex with none.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine } from '../support/command-line.ts';
import { outcome } from '../support/outcome.ts';

const directory = temporaryDirectory();

const answer = (id: string, timestamp: string, input: number, total: number) => ({
  type: 'message',
  id,
  parentId: null,
  timestamp,
  message: {
    role: 'assistant',
    content: [{ type: 'text', text: 'Done.' }],
    provider: 'anthropic',
    model: 'claude-opus-4-5',
    usage: { input, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: input, cost: { total } },
    stopReason: 'stop',
    responseId: id.endsWith('own') ? 'msg_2' : 'msg_1',
  },
});

test.each([
  ['Claude Code', ['claude-7c5b1c1e-message-2', 'claude-8d5b1c1e-message-3'], 1_000],
  ['Codex', ['codex-2', 'codex-3'], 0],
])('what %s spent is in no total, and nobody is alarmed', async (_agent, ids, input) => {
  const omp = mkdtempSync(join(directory, 'omp-'));
  const [id, timestamp] = ['019b0000-0000-7000-8000-000000000001', '2026-05-05T09:00:00.000Z'];
  mkdirSync(join(omp, 'sessions'));
  const lines = [
    { type: 'session', version: 3, id, timestamp, cwd: '/srv/shop' },
    ...ids.map((each, at) => answer(each, `2026-05-01T09:00:0${at}.000Z`, input, 0)),
    answer('0a1b2own', '2026-05-05T09:01:00.000Z', 50, 0.01),
  ];
  writeFileSync(
    join(omp, 'sessions', `2026-05-05T09-00-00-000Z_${id}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const ledger = commandLine(directory);
  expect(await ledger.run('import', '--omp', omp)).toMatchObject({ code: 0, complained: '' });
  expect(await outcome(ledger, '--omp', omp)).toMatchObject({
    code: 0,
    explained: ['other_agent'],
    faults: [],
  });
  const { total } = JSON.parse((await ledger.run('report', '--json')).printed);
  expect(total).toMatchObject({ records: 1, inputTokens: 50, unreportedRecords: 0 });
});
