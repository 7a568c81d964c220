/**
 * Texts of summaries and instructions: none in the spool unless enabled, and then without secrets,
 * from the bundle and from the sources. An import of the session file gives the same.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Host, hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, repositoryRoot } from './support/ledger/ledger.ts';
import type { StoredEvent } from './support/ledger/ledger-store.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import { small } from './support/scenarios/compaction-shapes.ts';
import { readCompactions } from './support/truth/compaction-truth.ts';

const key = `ghp_${'a1B2'.repeat(9)}`;
const address = 'ada@shop.example';
const bundle = join(repositoryRoot, 'extension');

let llm: FakeLlm;
beforeAll(async () => {
  await ensureHosts();
  llm = await startFakeLlm();
});
afterAll(() => llm.close());

interface Recorded {
  readonly text: string;
  readonly events: readonly StoredEvent[];
  /** The events of a ledger with the same settings that only imports the session file. */
  readonly imported: readonly StoredEvent[];
}

/**
 * The spool after a compaction whose summary and instructions contain secrets; no collector has
 * read it.
 */
async function spoolOf(host: Host, loaded: string, settings: object): Promise<Recorded> {
  const sandbox = createSandbox({ host, llm });
  const ledger = await createLedger(sandbox, { ...settings });
  try {
    const rpc = startRpc(sandbox, { model: small, extension: loaded });
    await rpc.prompt(
      `SCN:tools remember:${key} remember:${address} remember:${sandbox.home}/notes`,
    );
    await rpc.request({ type: 'compact', customInstructions: `heed ${key}` });
    // The library that redacts is loaded meanwhile; the end of a session does not wait for it.
    await expect.poll(() => spooled(ledger.spoolDirectory)).toContain('pi.compaction.completed.v1');
    expect((await rpc.close()).exitCode).toBe(0);
    const [compaction] = readCompactions(sandbox.sessions);
    for (const secret of [key, address, sandbox.home])
      expect(compaction?.summary).toContain(secret);
    const text = spooled(ledger.spoolDirectory);
    for (const secret of [key, address]) expect(text).not.toContain(secret);
    const lines = text.split('\n').filter(Boolean);
    return {
      text,
      events: lines.map((line) => JSON.parse(line) as StoredEvent),
      imported: await importedBy(sandbox, settings),
    };
  } finally {
    await sandbox.dispose();
  }
}

async function importedBy(sandbox: Sandbox, settings: object): Promise<readonly StoredEvent[]> {
  const other = await createLedger(sandbox, { ...settings }, join(sandbox.home, 'other-ledger'));
  const { exitCode, stderr } = await other.run(
    'import',
    `--${sandbox.host.family}`,
    sandbox.sessions,
  );
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return other.store.events();
}

function spooled(directory: string): string {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ndjson'),
  );
  return names.map((name) => readFileSync(join(directory, name), 'utf8')).join('');
}

const dataOf = (events: readonly StoredEvent[], type: string) =>
  events.find((event) => event.type === type)?.data;

describe.each(hosts)('$name', (host) => {
  test.each([
    { from: 'the bundle', loaded: bundle },
    { from: 'the sources', loaded: extension },
  ])(
    'sends the summary without its secrets where that is wanted, from $from',
    async ({ loaded }) => {
      const { events, imported } = await spoolOf(host, loaded, { auditContent: true });
      const summary = dataOf(events, 'pi.compaction.completed.v1')?.summaryText as { text: string };
      expect(summary).toMatchObject({ truncated: false, redactions: 3 });
      expect(summary.text).toContain('## Goal\nExercise the ledger.');
      expect(summary.text).toContain('- [redacted]\n- [email]\n- ~/notes');
      expect(dataOf(imported, 'pi.compaction.completed.v1')).toEqual(
        dataOf(events, 'pi.compaction.completed.v1'),
      );
      // omp does not pass the instructions to extensions.
      const heeded = { text: 'heed [redacted]', truncated: false, redactions: 1 };
      expect(dataOf(events, 'pi.compaction.timed.v1')?.instructionsText).toEqual(
        host.family === 'pi' ? heeded : undefined,
      );
    },
  );

  // One host is enough: the same code reads the setting in all of them.
  test.runIf(host.name === 'pi087')('sends no text of it unless that is wanted', async () => {
    const { text, events, imported } = await spoolOf(host, bundle, {});
    expect(dataOf(events, 'pi.compaction.completed.v1')).toMatchObject({
      sizes: { textChars: expect.any(Number) },
    });
    for (const all of [text, JSON.stringify(imported)])
      expect(all).not.toMatch(/Exercise the ledger|heed|summaryText|instructionsText/);
  });
});
