/**
 * Real sessions, recorded live and then imported on top: reconcile, which reads their files with code of its own, finds nothing that it cannot explain; and it
 * finds what somebody did to the log.
 */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scenarios } from './support/accounting-scenarios.ts';
import { type FakeLlm, startFakeLlm } from './support/fake-llm.ts';
import { hosts } from './support/hosts.ts';
import { ensureHosts } from './support/install.ts';
import { createLedger, type Ledger } from './support/ledger.ts';
import { addProject } from './support/projects.ts';
import { ledgerHolds, truthOf } from './support/reconcile.ts';
import { createSandbox, type Sandbox } from './support/sandbox.ts';

const playMsMax = 300_000;
const played = [
  'retry-after-529',
  'fatal-error',
  'resume',
  'fork-and-clone',
  'auto-compaction',
  'subagents',
  'child-by-bash',
  'unpriced-model',
];

interface Answer {
  readonly isExplained: boolean;
  readonly totals: Readonly<Record<'files' | 'log' | 'views', object>>;
  readonly sessions: readonly { readonly differences: readonly { readonly reason: string; readonly explained: boolean }[] }[];
}

beforeAll(() => ensureHosts(), 600_000);

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;

  beforeAll(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    ledger = await createLedger(sandbox, { import: false });
    await ledger.start();
    for (const { name, play, hosts: only } of scenarios) {
      if (played.includes(name) && (only?.includes(host.name) ?? true)) await play(addProject(sandbox, name));
    }
    await ledgerHolds(ledger, truthOf(sandbox));
  }, playMsMax);

  afterAll(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  async function reconcile(): Promise<{ exitCode: number | null; faults: readonly string[]; answer: Answer }> {
    const { exitCode, stdout, stderr } = await ledger.run('reconcile', `--${host.family}`, sandbox.sessions, '--json');
    if (stdout === '') throw new Error(stderr);
    const answer = JSON.parse(stdout) as Answer;
    const faults = answer.sessions.flatMap(({ differences }) =>
      differences.filter(({ explained }) => !explained).map(({ reason }) => reason),
    );
    return { exitCode, faults: [...new Set(faults)], answer };
  }

  test('what was recorded live is what the session files say, and what the views say', async () => {
    const { exitCode, faults, answer } = await reconcile();
    expect({ exitCode, faults }).toEqual({ exitCode: 0, faults: [] });
    expect(answer.totals.log).toEqual(answer.totals.views);
  });

  test('it still is after an import of the same files', async () => {
    const before = await reconcile();
    expect(await ledger.run('import', `--${host.family}`, sandbox.sessions)).toMatchObject({ exitCode: 0 });
    const { exitCode, faults, answer } = await reconcile();
    expect({ exitCode, faults }).toEqual({ exitCode: 0, faults: [] });
    expect(answer.totals).toEqual(before.answer.totals);
  });

  test('a record that somebody takes out of the log is named', async () => {
    await ledger.stop();
    const database = new DatabaseSync(ledger.storePath);
    database.exec("DELETE FROM events WHERE position = (SELECT max(position) FROM events WHERE event LIKE '%pi.turn.completed%')");
    database.close();
    const { exitCode, faults } = await reconcile();
    expect(exitCode).toBe(1);
    expect(faults.filter((reason) => reason === 'missing_in_log' || reason === 'not_imported').length).toBe(1);
  });
});
