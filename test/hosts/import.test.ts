/**
 * Months of history without the extension: hosts run without it, and an import alone must give the
 * totals of their session files, record by record and to the nano-dollar. Then the extension is
 * added, and importing what it recorded live changes nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { addProject } from './support/host/projects.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { readLedgerRecords } from './support/ledger/ledger-store.ts';
import { figuresOf, ledgerHolds, truthOf } from './support/ledger/reconcile.ts';
import { runReconcile } from './support/ledger/run-reconcile.ts';
import { spoolIsRead } from './support/ledger/spool-read.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import { scenarios } from './support/scenarios/accounting-scenarios.ts';

const played = [
  'fatal-error',
  'resume',
  'fork-and-clone',
  'auto-compaction',
  'subagents',
  'child-by-bash',
];
const noExtension: readonly string[] = [];
interface ImportAnswer {
  readonly files: { readonly found: number; readonly read: number; readonly unchanged: number };
  readonly events: { readonly new: number; readonly known: number; readonly rejected: number };
  readonly issueCount: number;
}

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  const chosen = scenarios.filter(
    ({ name, hosts: only }) => played.includes(name) && (only?.includes(host.name) ?? true),
  );
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;

  beforeAll(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    ledger = await createLedger(sandbox, { import: false });
    for (const { name, play } of chosen) await play(addProject(sandbox, name), noExtension);
  });

  afterAll(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  async function importAll(): Promise<ImportAnswer> {
    const { exitCode, stdout, stderr } = await ledger.run(
      'import',
      `--${host.family}`,
      sandbox.sessions,
      '--json',
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return JSON.parse(stdout) as ImportAnswer;
  }

  test('an import into an empty ledger holds what the session files add up to', async () => {
    const truth = truthOf(sandbox);
    expect(truth.records.length).toBeGreaterThan(20);
    const answer = await importAll();
    expect(answer).toMatchObject({
      files: { found: truth.files.length, read: truth.files.length },
      events: { rejected: 0 },
      issueCount: 0,
    });
    await ledgerHolds(ledger, truth);
    const { meteredNanoUsd, ...figures } = figuresOf(truth.records);
    const { total } = await ledger.report();
    expect(total).toMatchObject({
      ...figures,
      meteredNanoUsd: '0',
      unknownBillingNanoUsd: meteredNanoUsd,
    });
    const { rows } = await ledger.report('--by', 'project');
    const expected = chosen.map(({ name }) => [
      name,
      truthOf({ sessions: `${sandbox.sessions}/${name}` }).records.length,
    ]);
    expect(rows.map(({ project, records }) => [project, records]).toSorted()).toEqual(
      expected.toSorted(),
    );
    expect(await runReconcile(ledger, sandbox)).toMatchObject({ exitCode: 0, faults: [] });
  });

  test('importing again reads nothing and changes nothing', async () => {
    const before = await ledger.report();
    expect(await importAll()).toMatchObject({ files: { read: 0 }, events: { new: 0, known: 0 } });
    expect(await ledger.report()).toEqual(before);
  });

  test('live records are not counted again, nor those of an imported session', async () => {
    const project = addProject(sandbox, 'live');
    await ledger.start();
    const [fork, resume] = ['fork-and-clone', 'resume'].map((name) =>
      scenarios.find((scenario) => scenario.name === name),
    );
    await fork?.play(project, extension);
    // Continues a session that was imported.
    await resume?.play({ ...project, sessions: `${sandbox.sessions}/resume` }, extension);
    await importAll();
    await ledgerHolds(ledger, truthOf(sandbox));
    await spoolIsRead(ledger);
    const held = (await readLedgerRecords(ledger.store)).length;
    const report = await ledger.report();
    expect(await importAll()).toMatchObject({ events: { new: 0 } });
    expect((await readLedgerRecords(ledger.store)).length).toBe(held);
    expect(await ledger.report()).toEqual(report);
    expect(await runReconcile(ledger, sandbox)).toMatchObject({ exitCode: 0, faults: [] });
    expect(await ledger.stop()).toMatchObject({ exitCode: 0 });
  });

  test('reconcile names a record that somebody takes out of the log', async () => {
    await ledger.store.damage('pi.turn.completed.v1');
    expect(await runReconcile(ledger, sandbox)).toMatchObject({
      exitCode: 1,
      faults: expect.arrayContaining(['missing_in_log']),
    });
  });
});
