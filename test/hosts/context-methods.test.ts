/**
 * omp's other compaction methods, as far as a fake model can trigger them: shake, which drops old
 * tool results and finds none here, then handoff. (`remote` and `snapcompact` need a provider and a
 * model that support them; omp silently skips them.)
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { startRpc } from './support/host/run-host.ts';
import { createSandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { startFakeLlm } from './support/llm/fake-llm.ts';
import { small } from './support/scenarios/compaction-shapes.ts';
import { readCompactions } from './support/truth/compaction-truth.ts';

beforeAll(() => ensureHosts());

const methodOrder = ['remote', 'snapcompact', 'shake', 'handoff'];
const compaction = {
  enabled: true,
  reserveTokens: 1_000,
  keepRecentTokens: 100,
  methodOrder,
  asyncEnabled: false,
};

describe.each(hosts.filter(({ family }) => family === 'omp'))('$name', (host) => {
  test('records a handoff, and the shake before it that found nothing as no failure', async () => {
    const llm = await startFakeLlm();
    const sandbox = createSandbox({ host, llm, settings: { compaction } });
    try {
      const ledger = await createLedger(sandbox, { import: false });
      const imported = await createLedger(
        sandbox,
        { import: false },
        join(sandbox.root, 'imported'),
      );
      await ledger.start();
      const rpc = startRpc(sandbox, { model: small, extension });
      await rpc.prompt('SCN:tools');
      // The run's end is not announced as the last one: omp would go on if it had been in the
      // middle of something.
      await rpc.request({ type: 'prompt', message: 'SCN:big' });
      await rpc.waitFor(
        ({ type, action }) => type === 'auto_compaction_end' && action === 'handoff',
      );
      await rpc.waitFor('agent_end');
      await rpc.prompt('SCN:simple');
      expect(
        rpc.events.filter(({ type }) => type === 'auto_compaction_end').map(({ action }) => action),
      ).toEqual(['shake', 'handoff']);
      expect((await rpc.close()).exitCode).toBe(0);
      await eventually(
        async () => expect(await dataOf(ledger, 'pi.session.ended.v1')).toHaveLength(1),
        { intervalMs: 100 },
      );

      const [made, ...more] = readCompactions(sandbox.sessions);
      expect(more).toEqual([]);
      const completed = await dataOf(ledger, 'pi.compaction.completed.v1');
      expect(completed).toMatchObject([
        {
          entryId: made?.entryId,
          method: 'handoff',
          tokensBefore: made?.tokensBefore,
          fromExtension: false,
        },
      ]);
      expect(await dataOf(ledger, 'pi.compaction.timed.v1')).toMatchObject([
        { entryId: made?.entryId, trigger: 'threshold' },
      ]);
      expect(await dataOf(ledger, 'pi.compaction.failed.v1')).toEqual([]);
      expect(await imported.run('import', '--omp', sandbox.sessions)).toMatchObject({
        exitCode: 0,
      });
      expect(await dataOf(imported, 'pi.compaction.completed.v1')).toEqual(completed);
      const { rows } = JSON.parse((await ledger.run('compactions', '--json')).stdout) as {
        rows: unknown;
      };
      expect(rows).toMatchObject([
        { entryId: made?.entryId, method: 'handoff', tokensAfterMeasured: made?.sentAfter },
      ]);
    } finally {
      await sandbox.dispose();
      await llm.close();
    }
  });
});

async function dataOf(ledger: Ledger, type: string) {
  return (await ledger.store.events()).flatMap((event) =>
    event.type === type ? [event.data] : [],
  );
}
