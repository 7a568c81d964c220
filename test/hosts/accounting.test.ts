/**
 * Every way in which a host spends tokens, with the extension loaded and a collector running: the
 * ledger must store and report exactly the totals of the session files, record by record and to the
 * nano-dollar.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { addProject } from './support/host/projects.ts';
import { runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { readLedgerRecords } from './support/ledger/ledger-store.ts';
import {
  askCollector,
  figuresOf,
  ledgerHolds,
  reportsAgree,
  truthOf,
} from './support/ledger/reconcile.ts';
import { runReconcile } from './support/ledger/run-reconcile.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import { promptTokens } from './support/llm/usage.ts';
import { childOf, scenarios } from './support/scenarios/accounting-scenarios.ts';

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  const played = scenarios.filter((scenario) => scenario.hosts?.includes(host.name) ?? true);
  const projects = new Map<string, Sandbox>();
  const failures = new Map<string, unknown>();
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;

  /**
   * All at first, so that no scenario waits alone for its last events: the collector looks for what
   * dead hosts left every two seconds.
   */
  beforeAll(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    ledger = await createLedger(sandbox);
    await ledger.start();
    for (const { name, play } of played) {
      projects.set(name, addProject(sandbox, name));
      await play(projectOf(name)).catch((error: unknown) => failures.set(name, error));
    }
  });

  afterAll(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  const projectOf = (name: string): Sandbox => projects.get(name) as Sandbox;

  test.each(played)(
    '$name: ledger and reports say what the session files add up to',
    async ({ name, kinds }) => {
      if (failures.has(name)) throw failures.get(name);
      const truth = truthOf(projectOf(name));
      expect(truth.kinds).toEqual(kinds(host));
      await ledgerHolds(ledger, truth, name);
      await reportsAgree((by) => askCollector(ledger, by, name), truth, name);
      const { rows } = await ledger.report();
      expect(rows.find(({ project }) => project === name)).toEqual({
        project: name,
        ...figuresOf(truth.records),
      });
    },
  );

  test('nothing else is in the ledger, no event was refused, none is missing', async () => {
    const truth = truthOf(sandbox);
    await ledgerHolds(ledger, truth);
    await reportsAgree((by) => ledger.report('--by', by), truth, null);
    expect(JSON.parse((await ledger.run('rejected', 'list', '--json')).stdout)).toEqual({
      rows: [],
      unread: [],
    });
    expect(await missingAndDropped(ledger)).toEqual({ missing: 0, dropped: 0 });
  });

  test('reconcile explains every difference, before and after an import', async () => {
    const before = await runReconcile(ledger, sandbox);
    expect(before).toMatchObject({ exitCode: 0, faults: [] });
    expect(before.totals.log).toEqual(before.totals.views);
    expect(await ledger.run('import', `--${host.family}`, sandbox.sessions)).toMatchObject({
      exitCode: 0,
    });
    expect(await runReconcile(ledger, sandbox)).toEqual(before);
  });

  test('the report is the same after the collector has stopped and after a rebuild', async () => {
    const running = await ledger.report();
    expect(await ledger.stop()).toMatchObject({ exitCode: 0 });
    expect(await ledger.report()).toEqual(running);
    expect(await ledger.run('rebuild', 'sessions')).toMatchObject({ exitCode: 0 });
    expect(await ledger.report()).toEqual(running);
    await ledger.start();
  });

  test('a child without a session file is witnessed by the extension alone', async () => {
    const project = addProject(sandbox, 'child-without-session');
    await runPrint(project, { extension, prompt: `SCN:bash:${childOf(project, false)}` });
    const own = truthOf(project).records;
    expect(own.length).toBe(2);
    const child = llm
      .served('turn')
      .filter(({ tag, sequence }) => tag === 'child' && sequence > llm.requests.length - 8);
    const expected = [
      ...own.map(tokensOf),
      ...child.map(({ usage }) => `${promptTokens(usage)}+${usage.outputTokens}`),
    ].sort();
    expect(expected.length).toBe(2 + 6);
    await expect
      .poll(
        async () =>
          (await readLedgerRecords(ledger.store, 'child-without-session')).map(tokensOf).sort(),
        { interval: 100 },
      )
      .toEqual(expected);
  });
});

interface ProducerRow {
  readonly missing: number;
  readonly dropped: Readonly<Record<string, number>>;
}

async function missingAndDropped(ledger: Ledger): Promise<{ missing: number; dropped: number }> {
  const response = await fetch(`${ledger.url}/v1/producers?limit=1000`);
  const { rows } = (await response.json()) as { rows: readonly ProducerRow[] };
  expect(rows.length).toBeGreaterThan(0);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    missing: sum(rows.map(({ missing }) => missing)),
    dropped: sum(rows.flatMap(({ dropped }) => Object.values(dropped))),
  };
}

function tokensOf(record: {
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
}): string {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = record;
  return `${inputTokens + cacheReadTokens + cacheWriteTokens}+${outputTokens}`;
}
