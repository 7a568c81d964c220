/**
 * omp compacts in the background while the agent works, unless an extension listens to certain
 * hooks. Ours must not.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { startRpc } from './support/host/run-host.ts';
import { createSandbox } from './support/host/sandbox.ts';
import { extension } from './support/ledger/ledger.ts';
import { startFakeLlm } from './support/llm/fake-llm.ts';

beforeAll(() => ensureHosts());

/** A window of 10,000 tokens: see support/host-config.ts. */
const model = 'fake-openai/fake-small';
const compaction = {
  enabled: true,
  reserveTokens: 1_000,
  keepRecentTokens: 100,
  methodOrder: ['soft'],
  asyncEnabled: true,
};

describe.each(hosts.filter(({ family }) => family === 'omp'))('$name', (host) => {
  test.each([
    { with: 'without the extension', loaded: [] },
    { with: 'with it', loaded: [extension] },
  ])('summarizes before it must, $with', async ({ loaded }) => {
    const llm = await startFakeLlm();
    const sandbox = createSandbox({ host, llm, settings: { compaction } });
    try {
      const rpc = startRpc(sandbox, { model, extension: loaded });
      await rpc.prompt('SCN:loop:2');
      await rpc.prompt('SCN:simple');
      // Nothing is compacted yet: this summary is for later.
      await eventually(() => expect(llm.served('summary').length).toBeGreaterThan(0));
      expect((await rpc.close()).exitCode).toBe(0);
    } finally {
      await sandbox.dispose();
      await llm.close();
    }
  });
});
