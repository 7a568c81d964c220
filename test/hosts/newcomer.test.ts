/**
 * A new user follows the README: the extension is installed by the host's command, the collector is
 * started, two prompts are entered in two projects; then the report shows both projects with the
 * sums of their session files.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installExtension } from './support/host/host-install.ts';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { addProject } from './support/host/projects.ts';
import { runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, type Ledger } from './support/ledger/ledger.ts';
import { figuresOf, ledgerHolds, reportsAgree, truthOf } from './support/ledger/reconcile.ts';
import { spoolIsRead } from './support/ledger/spool-read.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;
  let projects: readonly Sandbox[];

  beforeEach(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    ledger = await createLedger(sandbox);
    projects = ['shop', 'blog'].map((name) => addProject(sandbox, name));
    expect(await installExtension(sandbox)).toMatchObject({ exitCode: 0 });
  });

  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  /** A working day: one prompt here, one there. */
  const work = async () => {
    for (const project of projects)
      expect(await runPrint(project, { prompt: 'SCN:tools' })).toMatchObject({ exitCode: 0 });
  };

  const rowsOfSessionFiles = () =>
    projects
      .map((project) => ({ project: nameOf(project), ...figuresOf(truthOf(project).records) }))
      .sort(byProject);

  const reportedRows = async () => [...(await ledger.report()).rows].sort(byProject);

  test('with a running collector, the report shows both projects’ sums', async () => {
    await ledger.start();
    await work();
    await ledgerHolds(ledger, truthOf(sandbox));
    await spoolIsRead(ledger);
    expect(await reportedRows()).toEqual(rowsOfSessionFiles());
    await reportsAgree((by) => ledger.report('--by', by), truthOf(sandbox), null);

    const table = await ledger.run('report');
    expect(table).toMatchObject({ exitCode: 0, stderr: '' });
    for (const project of projects)
      expect(table.stdout).toMatch(new RegExp(`^${nameOf(project)} .*\\$`, 'm'));

    expect(await findings(ledger)).toMatchObject({
      [host.family]: 'good',
      collector: 'good',
      producers: 'good',
    });
  });

  test('without a collector, the report takes in what waits; so does the next start', async () => {
    await work();
    expect(await reportedRows()).toEqual(rowsOfSessionFiles());
    expect(await findings(ledger)).toMatchObject({
      [host.family]: 'good',
      collector: 'note',
      producers: 'good',
    });

    await work();
    await ledger.start();
    await ledgerHolds(ledger, truthOf(sandbox));
    await spoolIsRead(ledger);
    expect(await reportedRows()).toEqual(rowsOfSessionFiles());
  });
});

test.each([hosts[0], hosts[2]].filter((host) => host !== undefined))(
  '$name: without the extension the doctor says what to do',
  async (host) => {
    const sandbox = createSandbox({ host, llm: { port: 1 } });
    try {
      const ledger = await createLedger(sandbox);
      expect(await ledger.run('doctor', '--json')).toMatchObject({
        exitCode: 1,
        stdout: expect.stringMatching(/is not installed: `(pi install|omp plugin link) /),
      });
    } finally {
      await sandbox.dispose();
    }
  },
);

function nameOf({ work }: Sandbox): string {
  return work.slice(work.lastIndexOf('/') + 1);
}

function byProject(
  a: { readonly project?: string | null },
  b: { readonly project?: string | null },
): number {
  return String(a.project).localeCompare(String(b.project));
}

/** State by check, for a doctor that finds no problem. */
async function findings(ledger: Ledger): Promise<Readonly<Record<string, string>>> {
  const { exitCode, stdout } = await ledger.run('doctor', '--json');
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  const { findings: found } = JSON.parse(stdout) as {
    findings: readonly { check: string; state: string }[];
  };
  return Object.fromEntries(found.map(({ check, state }) => [check, state]));
}
