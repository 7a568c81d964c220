/**
 * Packages of pi that spend on their own, run for real: live, imported, both, and rebuilt, the
 * ledger says what the fake model answered, less what nobody could see.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { type PromptOptions, runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, type Ledger, repositoryRoot } from './support/ledger/ledger.ts';
import { runReconcile } from './support/ledger/run-reconcile.ts';
import { spoolIsRead } from './support/ledger/spool-read.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import type { ServedUsage } from './support/llm/usage.ts';
import { ensurePackages, packageDirectory } from './support/packages/install.ts';
import {
  type ChildSeen,
  delegating,
  type PiPackage,
  packages,
} from './support/packages/packages.ts';

/** The newest pi: the packages ask for it. */
describe.each(hosts.filter(({ name }) => name === 'pi160'))('$name with', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let live: Ledger;
  let imported: Ledger;

  beforeAll(async () => {
    await ensureHosts([host]);
    await ensurePackages();
  });

  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  test.each(packages)('$name: one child, live, imported, both and rebuilt', async (played) => {
    await begin(played.loads.map(packageDirectory), played.templates);
    await run({ prompt: played.prompt }, played.tool);
    const answers = llm.served().map(({ tag }) => tag);
    expect(answers.filter((tag) => tag === 'child')).toHaveLength(2);
    expect(answers).toHaveLength(4);
    await countsEverywhere(played.child);
  });

  test('a tool that says what it spent, without a child: it counts', async () => {
    await begin([]);
    const asking = join(import.meta.dirname, 'support', 'packages', 'asking-tool.ts');
    await run({ prompt: delegating('ask', { question: 'Why?' }), extension: asking }, 'ask');
    expect(llm.served('side')).toHaveLength(1);
    expect(llm.served()).toHaveLength(3);
    await countsEverywhere({ live: true, imported: true });
  });

  async function begin(
    loaded: readonly string[],
    templates: PiPackage['templates'] = {},
  ): Promise<void> {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm, settings: { packages: [...loaded, extensionFolder] } });
    const folder = join(sandbox.home, '.pi', 'agent', 'prompts');
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(templates)) writeFileSync(join(folder, name), text);
    live = await createLedger(sandbox, { import: false });
    imported = await createLedger(sandbox, { import: false }, join(sandbox.root, 'imported'));
  }

  async function run(options: PromptOptions, tool: string | null): Promise<void> {
    const tools = `read,bash,edit,write,grep,find,ls${tool === null ? '' : `,${tool}`}`;
    const [{ exitCode }] = await Promise.all([
      runPrint(sandbox, { ...options, args: ['--tools', tools] }),
      live.start(),
    ]);
    expect(exitCode).toBe(0);
  }

  async function countsEverywhere({ live: seen, imported: inFiles, requests }: ChildSeen) {
    await vi.waitFor(async () => expect(await said(live)).toEqual(answered(seen, requests)), {
      timeout: 45_000,
      interval: 200,
    });
    await spoolIsRead(live);
    await countsImported(live, answered(seen || inFiles, requests));
    await countsImported(imported, answered(inFiles));
    await live.stop();
    expect(await live.run('rebuild', 'sessions')).toMatchObject({ exitCode: 0 });
    expect(await said(live)).toEqual(answered(seen || inFiles, requests));
  }

  async function countsImported(ledger: Ledger, figures: Figures): Promise<void> {
    expect(await ledger.run('import', '--pi', sandbox.sessions)).toMatchObject({ exitCode: 0 });
    expect(await said(ledger)).toEqual(figures);
    expect(await runReconcile(ledger, sandbox)).toMatchObject({ exitCode: 0, faults: [] });
  }

  /** `requests`: how many are seen of which nothing says what they cost. */
  function answered(isChildSeen: boolean, requests = 0): Figures {
    const usages = llm
      .served()
      .filter(({ tag }) => isChildSeen || tag !== 'child')
      .map(({ usage }) => usage);
    const sum = (say: (usage: ServedUsage) => number) =>
      usages.reduce((total, usage) => total + say(usage), 0);
    return {
      inputTokens: sum(({ inputTokens }) => inputTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
      cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
      cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
      nanoUsd: BigInt(sum(nanoUsdOf)),
      unreportedRecords: requests,
    };
  }
});

/** As a package that the user installed, which children load as well. */
const extensionFolder = join(repositoryRoot, 'extension');

interface Figures {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly nanoUsd: bigint;
  readonly unreportedRecords: number;
}

async function said(ledger: Ledger): Promise<Figures> {
  const { total } = await ledger.report();
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, unreportedRecords } = total;
  const nanoUsd =
    BigInt(total.meteredNanoUsd) +
    BigInt(total.subscriptionNanoUsd) +
    BigInt(total.unknownBillingNanoUsd);
  const tokens = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
  return { ...tokens, nanoUsd, unreportedRecords };
}

/** What the sandbox's models cost; pi splits an answer's tokens as the fake model does. */
function nanoUsdOf(usage: ServedUsage): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return (
    2_000 * inputTokens + 8_000 * outputTokens + 500 * cacheReadTokens + 2_500 * cacheWriteTokens
  );
}
