/**
 * Subagents in real hosts: in the parent's process (omp), and as separate processes (pi's own
 * example of a subagent tool), with and without a session file, with and without the extension,
 * nested two deep. What is recorded twice counts once, and what only the parent knows counts too;
 * importing the files changes no sum.
 */
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type HostName, hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { runReconcile } from './support/ledger/run-reconcile.ts';
import { dataOf, reported, sessionsByDepth, uncovered } from './support/ledger/subagent-figures.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import { promptTokens } from './support/llm/usage.ts';
import { installSubagentExample } from './support/scenarios/subagent-example.ts';

beforeAll(() => ensureHosts());

interface Case {
  readonly host: HostName;
  readonly name: string;
  readonly prompt: string;
  /** Session files of the children (pi), of the whole process (omp). */
  readonly session: boolean;
  /** Whether the children also have the extension. */
  readonly ledger: boolean;
  /** Number of sessions that record themselves, by depth. */
  readonly sessions: readonly number[];
}

const cases: readonly Case[] = [
  {
    host: 'pi087',
    name: 'two at once, in memory',
    prompt: 'SCN:subagent:tools,simple',
    session: false,
    ledger: true,
    sessions: [1, 2],
  },
  {
    host: 'pi087',
    name: 'nested, in memory',
    prompt: 'SCN:subagent:subagent',
    session: false,
    ledger: true,
    sessions: [1, 1, 1],
  },
  {
    host: 'pi087',
    name: 'nested, with files',
    prompt: 'SCN:subagent:subagent',
    session: true,
    ledger: true,
    sessions: [1, 1, 1],
  },
  {
    host: 'pi087',
    name: 'nested, without the extension',
    prompt: 'SCN:subagent:subagent',
    session: false,
    ledger: false,
    sessions: [1],
  },
  {
    host: 'pi087',
    name: 'nested, with files alone',
    prompt: 'SCN:subagent:subagent',
    session: true,
    ledger: false,
    sessions: [1],
  },
  {
    host: 'pi160',
    name: 'nested, in memory',
    prompt: 'SCN:subagent:subagent',
    session: false,
    ledger: true,
    sessions: [1, 1, 1],
  },
  {
    host: 'pi160',
    name: 'nested, with files alone',
    prompt: 'SCN:subagent:subagent',
    session: true,
    ledger: false,
    sessions: [1],
  },
  {
    host: 'pi073',
    name: 'nested, in memory',
    prompt: 'SCN:subagent:subagent',
    session: false,
    ledger: true,
    sessions: [1, 1, 1],
  },
  {
    host: 'omp18',
    name: 'nested, with files',
    prompt: 'SCN:task:task',
    session: true,
    ledger: true,
    sessions: [1, 1, 1],
  },
  {
    host: 'omp18',
    name: 'nested, in memory',
    prompt: 'SCN:task:task',
    session: false,
    ledger: true,
    sessions: [1, 1, 1],
  },
];

let llm: FakeLlm;
let sandbox: Sandbox;
let ledger: Ledger;

afterEach(async () => {
  await sandbox.dispose();
  await llm.close();
});

describe('subagents', () => {
  test.for(cases.filter(({ host }) => hosts.some(({ name }) => name === host)))(
    '$host, $name: each answer counts once',
    async (played) => {
      await play(played);
      const recordedBySelf = llm
        .served('turn')
        .filter(({ tag }) => played.ledger || tag === '').length;
      await eventually(
        async () =>
          expect((await dataOf(ledger, 'pi.turn.completed.v1')).length).toBe(recordedBySelf),
        { intervalMs: 100 },
      );
      expect(await sessionsByDepth(ledger)).toEqual(played.sessions);
      expect(await uncovered(ledger)).toEqual(played.ledger ? [] : served(({ tag }) => tag !== ''));
      await untilReported(expectedFigures());
      if (!played.session) return;
      expect(
        await ledger.run('import', played.host === 'omp18' ? '--omp' : '--pi', sandbox.sessions),
      ).toMatchObject({ exitCode: 0 });
      await eventually(async () =>
        expect((await dataOf(ledger, 'pi.turn.completed.v1')).length).toBe(
          llm.served('turn').length,
        ),
      );
      expect(await uncovered(ledger)).toEqual([]);
      await untilReported(expectedFigures());
    },
  );

  test.for(hosts.filter(({ family }) => family === 'omp'))(
    '$name, below a session file that a user named: each answer counts once, live and imported',
    async (host) => {
      llm = await startFakeLlm();
      sandbox = createSandbox({ host, llm });
      ledger = await createLedger(sandbox);
      expect((await runPrint(sandbox, { prompt: 'SCN:simple' })).exitCode).toBe(0);
      const [file = ''] = readdirSync(sandbox.sessions).filter((name) => name.endsWith('.jsonl'));
      const talk = join(sandbox.sessions, 'talk.jsonl');
      renameSync(join(sandbox.sessions, file), talk);
      const args = ['--resume', talk];
      const prompt = 'SCN:task:simple';
      await Promise.all([runPrint(sandbox, { prompt, args, extension }), ledger.start()]);
      expect(readdirSync(join(sandbox.sessions, 'talk'))).toContain('SubA.jsonl');
      const imported = await ledger.run('import', '--omp', sandbox.sessions);
      expect(imported.exitCode).toBe(0);
      await untilReported(expectedFigures());
      expect(await runReconcile(ledger, sandbox)).toMatchObject({ exitCode: 0, faults: [] });
    },
  );
});

async function play({ host: name, prompt, session, ledger: everywhere }: Case): Promise<void> {
  const host = hosts.find((candidate) => candidate.name === name);
  if (host === undefined) throw new Error(`no host is called ${name}`);
  llm = await startFakeLlm();
  sandbox = createSandbox({ host, llm });
  ledger = await createLedger(sandbox);
  const isPi = host.family === 'pi';
  if (isPi) installSubagentExample(sandbox, { session, ledger: everywhere });
  const [run] = await Promise.all([
    runPrint(sandbox, {
      prompt,
      extension: isPi && everywhere ? [] : extension,
      session: isPi || session,
      args: isPi ? ['--tools', 'read,bash,edit,write,grep,find,ls,subagent'] : [],
    }),
    ledger.start(),
  ]);
  expect(run.exitCode).toBe(0);
}

function served(fits: (request: { readonly tag: string }) => boolean): readonly string[] {
  const usages = llm.served('turn').filter(fits);
  return usages.map(({ usage }) => `${promptTokens(usage)}+${usage.outputTokens}`).sort();
}

async function untilReported(figures: ReturnType<typeof expectedFigures>): Promise<void> {
  await eventually(
    async () => expect(reported(await ledger.report('--by', 'kind'))).toEqual(figures),
    { intervalMs: 200 },
  );
}

function expectedFigures() {
  const usages = llm.served('turn').map(({ usage }) => usage);
  const outputs = usages.map(({ outputTokens }) => outputTokens);
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  return {
    records: usages.length,
    tokens: `${sum(usages.map(promptTokens))}+${sum(outputs)}`,
  };
}
