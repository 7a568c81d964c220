/**
 * Scenarios, each in its own project, so that a report by project names the one that does not add
 * up.
 */
import type { Host } from '../host/hosts.ts';
import { type PromptOptions, printCommandLine, runPrint, startRpc } from '../host/run-host.ts';
import type { Sandbox } from '../host/sandbox.ts';
import { extension } from '../ledger/ledger.ts';

type Loaded = NonNullable<PromptOptions['extension']>;

export interface Scenario {
  /** Also the name of its project. */
  readonly name: string;
  readonly hosts?: readonly Host['name'][];
  /** Loads the ledger's extension, unless told otherwise. */
  play(project: Sandbox, loaded?: Loaded): Promise<void>;
  /**
   * The number of records of each kind in its session files: a scenario in which nothing happens
   * proves nothing.
   */
  kinds(host: Host): Readonly<Record<string, number>>;
}

const print = (
  project: Sandbox,
  loaded: Loaded,
  prompt: PromptOptions['prompt'],
  options: Omit<PromptOptions, 'prompt'> = {},
) => runPrint(project, { extension: loaded, prompt, ...options });

const turns = (count: number) => () => ({ turn: count });

/** omp repeats an overloaded request below its session, so that such a failure leaves no entry. */
const isOmp = (host: Host) => host.family === 'omp';

export const scenarios: readonly Scenario[] = [
  {
    name: 'five-tools',
    play: async (project, loaded = extension) => void (await print(project, loaded, 'SCN:tools')),
    kinds: turns(6),
  },
  {
    name: 'parallel-tools',
    play: async (project, loaded = extension) =>
      void (await print(project, loaded, 'SCN:parallel')),
    kinds: turns(2),
  },
  {
    name: 'failing-tools',
    play: async (project, loaded = extension) => void (await print(project, loaded, 'SCN:toolerr')),
    kinds: turns(5),
  },
  {
    name: 'retry-after-529',
    play: async (project, loaded = extension) => void (await print(project, loaded, 'SCN:retry')),
    kinds: (host) => ({ turn: isOmp(host) ? 1 : 3 }),
  },
  {
    name: 'fatal-error',
    play: async (project, loaded = extension) =>
      void (await print(project, loaded, ['SCN:simple', 'SCN:fatal'])),
    kinds: turns(2),
  },
  {
    name: 'dropped-socket',
    play: async (project, loaded = extension) => void (await print(project, loaded, 'SCN:drop')),
    kinds: turns(2),
  },
  {
    name: 'resume',
    async play(project, loaded = extension) {
      await print(project, loaded, ['SCN:simple#first', 'SCN:loop:2#first']);
      await print(project, loaded, 'SCN:simple#second', { args: ['-c'] });
    },
    kinds: turns(1 + 3 + 1),
  },
  {
    name: 'fork-and-clone',
    play: forkAndClone,
    kinds: turns(1 + 3 + 1 + 1 + 1 + 1),
  },
  {
    name: 'auto-compaction',
    play: async (project, loaded = extension) =>
      void (await print(project, loaded, ['SCN:big', 'SCN:tools'], {
        model: 'fake-openai/fake-small',
      })),
    // pi 0.87 and newer write down what their summaries cost.
    kinds: (host) => ({ turn: 1 + 6, ...(host.tellsSummaryUsage ? { compaction: 1 } : {}) }),
  },
  {
    name: 'subagents',
    hosts: ['omp18'],
    play: async (project, loaded = extension) =>
      void (await print(project, loaded, 'SCN:task:tools,simple')),
    kinds: () => ({ turn: 2 + 6 + 1, side_call: 2 }),
  },
  {
    name: 'child-by-bash',
    play: async (project, loaded = extension) =>
      void (await print(project, loaded, `SCN:bash:${childOf(project, true, loaded)}`)),
    kinds: turns(2 + 6),
  },
  {
    name: 'anthropic',
    play: async (project, loaded = extension) =>
      void (await print(project, loaded, ['SCN:tools', 'SCN:drop'], {
        model: 'fake-anthropic/fake-claude',
      })),
    kinds: turns(6 + 2),
  },
  {
    name: 'unpriced-model',
    play: async (project, loaded = extension) =>
      void (await print(project, loaded, ['SCN:tools', 'SCN:fatal'], {
        model: 'fake-openai/fake-free',
      })),
    kinds: turns(6 + 1),
  },
];

/** A command line in base64 that starts the project's host again, for `SCN:bash`. */
export function childOf(project: Sandbox, session: boolean, loaded: Loaded = extension): string {
  return Buffer.from(
    printCommandLine(project, { extension: loaded, prompt: 'SCN:tools#child', session }),
    'utf8',
  ).toString('base64');
}

/**
 * Everything that rpc can do to a session: fork, clone (not omp), another model, a new session,
 * back to the old one, an abort.
 */
async function forkAndClone(project: Sandbox, loaded: Loaded = extension): Promise<void> {
  const rpc = startRpc(project, { extension: loaded });
  await rpc.prompt('SCN:simple#one');
  await rpc.prompt('SCN:loop:2#two');
  const [, second] = await rpc.forkPoints();
  await rpc.fork(second?.entryId ?? '');
  await rpc.prompt('SCN:simple#three');
  if (project.host.family === 'pi') await rpc.clone();
  await rpc.setModel('fake-openai/fake-free');
  await rpc.prompt('SCN:simple#free');
  const { sessionFile } = await rpc.state();
  await rpc.newSession();
  await rpc.prompt('SCN:simple#new');
  await rpc.switchSession(String(sessionFile));
  rpc.send({ type: 'prompt', message: 'SCN:slow:200:50' });
  await rpc.waitFor('message_update');
  await rpc.abort();
  const { exitCode } = await rpc.close();
  if (exitCode !== 0) throw new Error(`rpc ended with ${exitCode}`);
}
