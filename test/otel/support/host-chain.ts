/** A chain whose ledger records real runs: of pi with its own subagent example, or of omp. */
import { type HostName, hosts } from '../../hosts/support/host/hosts.ts';
import { ensureHosts } from '../../hosts/support/host/install.ts';
import { createSandbox, type Sandbox } from '../../hosts/support/host/sandbox.ts';
import type { StoredEvent } from '../../hosts/support/ledger/ledger-store.ts';
import { startFakeLlm } from '../../hosts/support/llm/fake-llm.ts';
import { installSubagentExample } from '../../hosts/support/scenarios/subagent-example.ts';
import { type Chain, type ChainOptions, startChain } from './chain.ts';

export interface HostChain extends Chain {
  /** Of `runPrint`; every pi in it has the extension, omp is told of it. */
  readonly sandbox: Sandbox;
  /** Of the log, of one type. */
  eventsOf(type: string): Promise<readonly StoredEvent[]>;
}

export async function startHostChain(
  wanted: HostName = 'pi087',
  options: Omit<ChainOptions, 'machine'> = {},
): Promise<HostChain> {
  const host = hosts.find(({ name }) => name === wanted);
  if (host === undefined) throw new Error(`${wanted} is not among PI_LEDGER_TEST_HOSTS`);
  await ensureHosts([host]);
  const llm = await startFakeLlm();
  const sandbox = createSandbox({ host, llm, git: true });
  if (host.family === 'pi') installSubagentExample(sandbox, { session: false, ledger: true });
  const chain = await startChain({ ...options, machine: sandbox });
  return {
    ...chain,
    sandbox,
    async eventsOf(type) {
      return (await chain.ledger.store.events()).filter((event) => event.type === type);
    },
    async close() {
      await chain.close();
      await sandbox.dispose();
      await llm.close();
    },
  };
}
