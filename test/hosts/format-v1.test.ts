/**
 * A session written by pi 0.30 (format v1: entries without ids) and resumed by a current host,
 * which gives them random ids: imported before and after, with the extension live in between,
 * everything counts once.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension } from './support/ledger/ledger.ts';
import { runReconcile } from './support/ledger/run-reconcile.ts';
import { spoolIsRead } from './support/ledger/spool-read.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

const id = '4c1f2a90-7d35-4f0e-9f53-2f5a0c9b1e77';
const at = (second: number) => `2025-12-20T09:00:0${second}.000Z`;
const usage = (input: number) => ({
  input,
  output: 20,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: input + 20,
  cost: { input: 0.001, output: 0.001, cacheRead: 0, cacheWrite: 0, total: 0.002 },
});

/** As pi 0.30.2 writes it. */
function linesOfV1(cwd: string): readonly object[] {
  const say = (second: number, message: object) => ({
    type: 'message',
    timestamp: at(second),
    message: { ...message, timestamp: Date.parse(at(second)) - 5 },
  });
  const text = (said: string) => [{ type: 'text', text: said }];
  const answer = {
    role: 'assistant',
    api: 'openai-completions',
    provider: 'fake-openai',
    model: 'fake-model',
    stopReason: 'stop',
  };
  return [
    { type: 'session', id, timestamp: at(0), cwd },
    { type: 'model_change', timestamp: at(1), provider: 'fake-openai', modelId: 'fake-model' },
    { type: 'thinking_level_change', timestamp: at(1), thinkingLevel: 'off' },
    say(2, { role: 'user', content: text('first') }),
    say(3, { ...answer, content: text('one'), usage: usage(100) }),
    say(4, { role: 'user', content: text('second') }),
    say(5, { ...answer, content: text('two'), usage: usage(200) }),
    say(6, { ...answer, content: text('three'), usage: usage(200) }),
  ];
}

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;

  beforeAll(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
  });

  afterAll(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  test('counts once, imported before the resume and after it', async () => {
    const path = join(sandbox.sessions, `2025-12-20T09-00-00-000Z_${id}.jsonl`);
    const lines = linesOfV1(sandbox.work);
    writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    const ledger = await createLedger(sandbox, { import: false });
    const importAll = () => ledger.run('import', `--${host.family}`, sandbox.sessions, '--json');
    expect(await importAll()).toMatchObject({ exitCode: 0 });
    expect((await ledger.report()).total).toMatchObject({ records: 3, inputTokens: 500 });
    expect(await runReconcile(ledger, sandbox)).toMatchObject({ exitCode: 0, faults: [] });

    await ledger.start();
    await runPrint(sandbox, { extension, prompt: 'SCN:simple#again', args: ['-c'] });
    await spoolIsRead(ledger);
    const rewritten = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(
      rewritten
        .filter((entry) => entry.type !== 'session' && entry.type !== 'title')
        .every((entry) => typeof entry.id === 'string'),
    ).toBe(true);
    expect(rewritten.length).toBeGreaterThan(lines.length);
    expect(await importAll()).toMatchObject({ exitCode: 0 });
    expect((await ledger.report()).total).toMatchObject({ records: 4 });
    expect(await runReconcile(ledger, sandbox)).toMatchObject({ exitCode: 0, faults: [] });
    expect(await ledger.stop()).toMatchObject({ exitCode: 0 });
  });
});
