/**
 * Every way in which a host compacts: what the running host reports, that an import of the same
 * files agrees, and that the audit shows what the session files say.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventTypes } from '../../contract/index.ts';
import { eventually } from '../support/eventually.ts';
import { type HostName, hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, type Ledger } from './support/ledger/ledger.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import {
  instructions,
  type Played,
  playCompactions,
} from './support/scenarios/compaction-shapes.ts';
import { readCompactions } from './support/truth/compaction-truth.ts';

beforeAll(() => ensureHosts());

/**
 * Trigger, whether the host continued with the prompt afterwards, length of the instructions,
 * author of the summary.
 */
type Told = readonly [
  trigger: string | null,
  willRetry: boolean | null,
  instructionsChars: number | undefined,
  by: 'host' | 'extension',
];

const manualChars = instructions.manual.length;
const ownChars = instructions.extension.length;

/**
 * Overflow, two in a row, in the middle of a run (pi 0.73 compacts only after it, when it was no
 * longer necessary), by rpc, by an extension, by rpc.
 */
const told: Readonly<Record<HostName, readonly Told[]>> = {
  pi073: [
    [null, null, 0, 'host'],
    [null, null, 0, 'host'],
    [null, null, 0, 'host'],
    [null, null, manualChars, 'host'],
    [null, null, ownChars, 'extension'],
    [null, null, manualChars, 'host'],
  ],
  pi087: [
    ['overflow', true, 0, 'host'],
    ['threshold', false, 0, 'host'],
    ['threshold', false, 0, 'host'],
    ['threshold', false, 0, 'host'],
    ['manual', false, manualChars, 'host'],
    ['manual', false, ownChars, 'extension'],
    ['manual', false, manualChars, 'host'],
  ],
  pi160: [
    ['overflow', true, 0, 'host'],
    ['threshold', false, 0, 'host'],
    ['threshold', false, 0, 'host'],
    ['threshold', false, 0, 'host'],
    ['manual', false, manualChars, 'host'],
    ['manual', false, ownChars, 'extension'],
    ['manual', false, manualChars, 'host'],
  ],
  omp18: [
    ['overflow', null, 0, 'host'],
    ['threshold', null, 0, 'host'],
    ['threshold', null, 0, 'host'],
    ['threshold', null, 0, 'host'],
    ['manual', null, undefined, 'host'],
    ['manual', null, undefined, 'extension'],
    ['manual', null, undefined, 'host'],
  ],
};

/**
 * The manual and the automatic one. omp does not report the first; pi 0.73 reports neither the
 * reason nor the failure of either.
 */
const failed: Readonly<Record<HostName, readonly object[]>> = {
  pi073: [
    {
      trigger: null,
      willRetry: null,
      durationMs: null,
      instructionsChars: instructions.failing.length,
    },
    { trigger: null, willRetry: null, durationMs: null, instructionsChars: 0 },
  ],
  pi087: [
    { trigger: 'manual', willRetry: false, instructionsChars: instructions.failing.length },
    { trigger: 'threshold', willRetry: false, instructionsChars: 0 },
  ],
  pi160: [
    { trigger: 'manual', willRetry: false, instructionsChars: instructions.failing.length },
    { trigger: 'threshold', willRetry: false, instructionsChars: 0 },
  ],
  omp18: [{ trigger: 'threshold', willRetry: false, instructionsChars: 0 }],
};

const basisOf = new Map<string, string>(eventTypes.map(({ type, basis }) => [type, basis]));

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;
  let imported: Ledger;
  let played: Played;

  beforeAll(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    ledger = await createLedger(sandbox, { import: false });
    imported = await createLedger(sandbox, { import: false }, join(sandbox.root, 'imported'));
    await ledger.start();
    played = await playCompactions(sandbox);
    expect(await imported.run('import', `--${host.family}`, sandbox.sessions)).toMatchObject({
      exitCode: 0,
    });
    // omp does not report the end of the forked session.
    const ended = host.family === 'pi' ? 2 : 1;
    await eventually(
      async () => expect(await said(ledger, 'pi.session.ended.v1')).toHaveLength(ended),
      { intervalMs: 100 },
    );
  });

  afterAll(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  const said = async (of: Ledger, type: string) =>
    (await of.store.events()).filter((event) => event.type === type);
  const dataOf = async (type: string) => (await said(ledger, type)).map(({ data }) => data);

  test('tells of each why and how, by the entry that it made', async () => {
    expect(played.exitCode).toBe(0);
    const timed = await dataOf('pi.compaction.timed.v1');
    expect(
      timed.map(({ trigger, willRetry, instructionsChars, fromExtension }) => [
        trigger,
        willRetry,
        instructionsChars,
        fromExtension === true ? 'extension' : 'host',
      ]),
    ).toEqual(told[host.name]);
    const made = readCompactions(sandbox.sessions);
    expect(timed.map(({ entryId }) => entryId)).toEqual(made.map(({ entryId }) => entryId));
    expect(made.at(-1)?.isLast).toBe(true);
    expect(
      (await dataOf('pi.compaction.completed.v1')).map(({ entryId, fromExtension }) => [
        entryId,
        fromExtension,
      ]),
    ).toEqual(
      made.map(({ entryId, summary }) => [entryId, summary === 'An extension wrote this.']),
    );
  });

  test('tells of those that failed, as far as the host does', async () => {
    expect(played.refusal).toContain('refuses to summarize');
    expect(await dataOf('pi.compaction.failed.v1')).toMatchObject(failed[host.name]);
    expect(await dataOf('pi.compaction.failed.v1')).toHaveLength(failed[host.name].length);
  });

  test('compacts in the middle of a run where the host can, and the run goes on', async () => {
    const turns = await said(ledger, 'pi.turn.completed.v1');
    const within = (await said(ledger, 'pi.compaction.completed.v1')).filter(
      ({ time, data: { promptEntryId } }) => {
        const run = turns.filter(({ data }) => data.promptEntryId === promptEntryId);
        return (
          run.some((turn) => turn.time < time && turn.data.stopReason === 'toolUse') &&
          run.some((turn) => turn.time > time)
        );
      },
    );
    expect(within).toHaveLength(host.name === 'pi073' ? 0 : 1);
  });

  test('tells of the branch that was left with a summary', async () => {
    const [summary, ...more] = await dataOf('pi.branch.summarized.v1');
    expect(more).toEqual([]);
    expect(summary).toMatchObject({ fromExtension: false, filesRead: [], filesModified: [] });
    expect(summary).toHaveProperty('sizes.textChars', expect.any(Number));
  });

  test('agrees with an import, which lacks only what the host alone knows', async () => {
    const entryEvents = async (of: Ledger) =>
      (await of.store.events())
        .filter(({ type }) => basisOf.get(type) === 'entry' && type !== 'pi.session.copied.v1')
        .map(({ id, type, subject, time, data }) => ({ id, type, subject, time, data }))
        .sort((left, right) => (left.id < right.id ? -1 : 1));
    expect((await entryEvents(ledger)).length).toBeGreaterThan(50);
    expect(await entryEvents(imported)).toEqual(await entryEvents(ledger));
    for (const type of [
      'pi.compaction.timed.v1',
      'pi.compaction.failed.v1',
      'pi.context.sampled.v1',
    ]) {
      expect(await said(imported, type)).toEqual([]);
    }
  });

  test.each(['live', 'imported'])(
    'the audit shows what was sent for the first answer after each, %s',
    async (way) => {
      const rows = await auditRows(way === 'live' ? ledger : imported);
      const made = readCompactions(sandbox.sessions);
      expect(made.filter(({ sentAfter }) => sentAfter !== null).length).toBe(made.length - 1);
      const summaries = rows
        .filter(({ kind }) => kind === 'compaction')
        .sort((left, right) => (left.time < right.time ? -1 : 1));
      expect(
        summaries.map(({ entryId, session, tokensBefore, tokensAfterMeasured }) => [
          entryId,
          session,
          tokensBefore,
          tokensAfterMeasured,
        ]),
      ).toEqual(
        made.map(({ entryId, sessionId, tokensBefore, sentAfter }) => [
          entryId,
          sessionId,
          tokensBefore,
          sentAfter,
        ]),
      );
      expect(summaries.map(({ trigger }) => trigger)).toEqual(
        way === 'live' ? told[host.name].map(([trigger]) => trigger) : made.map(() => null),
      );
      expect(rows.filter(({ kind }) => kind === 'branchSummary')).toHaveLength(1);
      expect(rows.filter(({ kind }) => kind === 'failure')).toHaveLength(
        way === 'live' ? failed[host.name].length : 0,
      );
    },
  );
});

interface AuditRow {
  readonly kind: string;
  readonly entryId: string | null;
  readonly session: string;
  readonly time: string;
  readonly trigger: string | null;
  readonly tokensBefore: number | null;
  readonly tokensAfterMeasured: number | null;
}

async function auditRows(ledger: Ledger): Promise<AuditRow[]> {
  const { exitCode, stdout, stderr } = await ledger.run('compactions', '--json');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return (JSON.parse(stdout) as { rows: AuditRow[] }).rows;
}
