/**
 * Subagents in real hosts: in the parent's process (omp), and as separate processes (pi's own
 * example of a subagent tool), with and without a session file, with and without the extension,
 * nested two deep. What is recorded twice counts once, and what only the parent knows counts too;
 * importing the files changes no sum.
 */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type HostName, hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import type { UsageReport } from './support/ledger/ledger-report.ts';
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
    host: 'pi152',
    name: 'nested, in memory',
    prompt: 'SCN:subagent:subagent',
    session: false,
    ledger: true,
    sessions: [1, 1, 1],
  },
  {
    host: 'pi152',
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
      await vi.waitFor(
        async () => expect((await dataOf('pi.turn.completed.v1')).length).toBe(recordedBySelf),
        {
          timeout: 45_000,
          interval: 100,
        },
      );
      expect(await sessionsByDepth()).toEqual(played.sessions);
      expect(await uncovered()).toEqual(played.ledger ? [] : served(({ tag }) => tag !== ''));
      await untilReported(expectedFigures());
      if (!played.session) return;
      expect(
        await ledger.run('import', played.host === 'omp18' ? '--omp' : '--pi', sandbox.sessions),
      ).toMatchObject({ exitCode: 0 });
      await vi.waitFor(
        async () =>
          expect((await dataOf('pi.turn.completed.v1')).length).toBe(llm.served('turn').length),
        {
          timeout: 45_000,
        },
      );
      expect(await uncovered()).toEqual([]);
      await untilReported(expectedFigures());
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

type Data = Readonly<Record<string, unknown>>;
type Tokens = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
};

async function dataOf(wanted: string): Promise<readonly (Data & { readonly subject: string })[]> {
  return (await ledger.store.events()).flatMap(({ type, subject, data }) =>
    type === wanted ? [{ ...data, subject }] : [],
  );
}

/** From the attributions: how many sessions have no parent, a parent, a parent's parent. */
async function sessionsByDepth(): Promise<readonly number[]> {
  const parents = new Map(
    (await dataOf('pi.session.attributed.v1')).map(({ subject, parentSessionId }) => [
      subject,
      parentSessionId as string | null,
    ]),
  );
  const counts: number[] = [];
  for (const session of parents.keys()) {
    let depth = 0;
    for (
      let parent = parents.get(session);
      parent != null && depth < 10;
      parent = parents.get(parent)
    )
      depth += 1;
    counts[depth] = (counts[depth] ?? 0) + 1;
  }
  return counts;
}

/**
 * Claims without a matching account in the same session under the same key, as `prompt+output`. A
 * session may receive one answer more than once: from the subagent that gave it, and from those
 * between. Other keys identify sums.
 */
async function uncovered(): Promise<readonly string[]> {
  const accounts = await dataOf('pi.subagent.accounted.v1');
  const claims = await dataOf('pi.subagent.claimed.v1');
  const isCovered = ({ subject, key, claimed }: Data) => {
    const own = accounts.filter(
      (account) => account.subject === subject && (account.keys as string[]).includes(String(key)),
    );
    const told = own.map(({ accounted }) => accounted as Tokens);
    const sums = String(key).startsWith('response:') ? told : [sumOf(told)];
    return sums.length > 0 && sums.every((sum) => line(sum) === line(claimed as Tokens));
  };
  return claims
    .filter((claim) => !isCovered(claim))
    .map(({ claimed }) => line(claimed as Tokens))
    .sort();
}

function served(fits: (request: { readonly tag: string }) => boolean): readonly string[] {
  const usages = llm.served('turn').filter(fits);
  return usages.map(({ usage }) => `${promptTokens(usage)}+${usage.outputTokens}`).sort();
}

function line(tokens: Tokens): string {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = tokens;
  return `${inputTokens + cacheReadTokens + cacheWriteTokens}+${outputTokens}`;
}

function sumOf(all: readonly Tokens[]): Tokens {
  const of = (measure: keyof Tokens) => all.reduce((total, tokens) => total + tokens[measure], 0);
  return {
    inputTokens: of('inputTokens'),
    outputTokens: of('outputTokens'),
    cacheReadTokens: of('cacheReadTokens'),
    cacheWriteTokens: of('cacheWriteTokens'),
  };
}

async function untilReported(figures: ReturnType<typeof expectedFigures>): Promise<void> {
  await vi.waitFor(
    async () => expect(reported(await ledger.report('--by', 'kind'))).toEqual(figures),
    { timeout: 45_000, interval: 200 },
  );
}

/**
 * omp also requests names for its subagents; not all of these requests are in its session files, so
 * they are left out on both sides.
 */
function reported({ rows }: UsageReport) {
  const answers = rows.filter(({ kind }) => kind !== 'side_call');
  return {
    records: answers.reduce((total, { records }) => total + records, 0),
    tokens: line(sumOf(answers)),
  };
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
