/**
 * What real hosts in a real clone are seen to have checked out: a commit between two turns, and a
 * branch that was changed meanwhile.
 */
import { execFileSync } from 'node:child_process';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { spoolIsRead } from './support/ledger/spool-read.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;

  beforeEach(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm, git: true });
    ledger = await createLedger(sandbox);
    await ledger.start();
  });
  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    const options = { cwd: sandbox.work, env: { ...sandbox.env }, encoding: 'utf8' } as const;
    return execFileSync('git', [...identity, ...args], options).trim();
  };
  const commit = (): string => {
    git('commit', '--quiet', '--allow-empty', '-m', 'More');
    return git('rev-parse', 'HEAD');
  };
  const seen = async () => {
    await spoolIsRead(ledger);
    const events = await ledger.store.events();
    return events.flatMap(({ type, data }) => {
      const { project, commit: head } = data as {
        readonly project?: { readonly branch: string };
        readonly commit?: string;
      };
      return type === 'pi.head.observed.v1' ? [`${project?.branch} ${head}`] : [];
    });
  };

  test('a commit between two turns is seen, and so is a branch', async () => {
    const first = commit();
    const rpc = startRpc(sandbox, { extension });
    await rpc.prompt('SCN:simple');
    await expect.poll(seen).toEqual([`main ${first}`]);
    const second = commit();
    await rpc.prompt('SCN:simple');
    await expect.poll(seen).toEqual([`main ${first}`, `main ${second}`]);
    git('switch', '--quiet', '-c', 'feature/ABC-12');
    expect((await rpc.close()).exitCode).toBe(0);
    await expect.poll(async () => (await seen()).at(-1)).toBe(`feature/ABC-12 ${second}`);
    const events = await ledger.store.events();
    const attributed = events.flatMap(({ type, data }) =>
      type === 'pi.session.attributed.v1' ? [JSON.stringify(data)] : [],
    );
    expect(attributed.at(-1)).toContain('"branch":"feature/ABC-12"');
  });
});
