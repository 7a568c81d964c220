/** Commands of a host in RPC mode, the same for all hosts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitMsMax } from '../../../support/bounds.ts';
import type { HostName } from './hosts.ts';
import type { HostEvent } from './json-lines.ts';
import type { HostProcess, HostRun } from './processes.ts';
import { type RpcConnection, type RpcData, rpcConnection } from './rpc-connection.ts';

interface ForkPoint {
  readonly entryId: string;
  readonly text: string;
}

/** Contract: as `RpcConnection`; every command rejects if the host refuses it. */
export interface RpcClient extends RpcConnection {
  readonly process: HostProcess;
  /** Resolves when the host is done with the prompt, including retries and compactions. */
  prompt(message: string, timeoutMs?: number): Promise<void>;
  /** Resolves when the run that the last command started or stopped has ended. */
  settled(timeoutMs?: number): Promise<void>;
  abort(): Promise<void>;
  compact(): Promise<RpcData>;
  /** `provider/id`. */
  setModel(name: string): Promise<void>;
  /** The prompts to which `fork` can return. */
  forkPoints(): Promise<readonly ForkPoint[]>;
  /** Continues in a new session file with what precedes that prompt (omp calls it `branch`). */
  fork(entryId: string): Promise<void>;
  /** Continues in a copy of the whole session. omp has no such command: rejects there. */
  clone(): Promise<void>;
  newSession(): Promise<void>;
  switchSession(path: string): Promise<void>;
  state(): Promise<RpcData>;
  /** Closes stdin, like a client that disconnects, and waits for the host's end. */
  close(): Promise<HostRun>;
  kill(signal?: NodeJS.Signals): Promise<HostRun>;
}

export function rpcClient(process: HostProcess, host: HostName): RpcClient {
  const connection = rpcConnection(process);
  const { request } = connection;
  const settled = (timeoutMs = waitMsMax) => settle(connection, host, timeoutMs);
  const does = async (type: string, args: RpcData = {}) => void (await request({ type, ...args }));
  const branching =
    host === 'omp18'
      ? { list: 'get_branch_messages', go: 'branch' }
      : { list: 'get_fork_messages', go: 'fork' };
  return {
    ...connection,
    process,
    settled,
    async prompt(message, timeoutMs) {
      await does('prompt', { message });
      await settled(timeoutMs);
    },
    abort: () => does('abort'),
    compact: () => request({ type: 'compact' }),
    setModel(name) {
      const [provider, modelId] = name.split('/');
      return does('set_model', { provider, modelId });
    },
    forkPoints: async () =>
      (await request({ type: branching.list })).messages as readonly ForkPoint[],
    fork: (entryId) => does(branching.go, { entryId }),
    clone: () => does('clone'),
    newSession: () => does('new_session'),
    switchSession: (sessionPath) => does('switch_session', { sessionPath }),
    state: () => request({ type: 'get_state' }),
    close() {
      process.child.stdin?.end();
      return process.done;
    },
    kill(signal) {
      process.kill(signal);
      return process.done;
    },
  };
}

/** The last event for a prompt. pi 0.73 has none and must be polled. */
const lastEvent: Readonly<Record<HostName, string>> = {
  pi073: 'agent_end',
  pi087: 'agent_settled',
  pi160: 'agent_settled',
  omp18: 'agent_end',
};

async function settle(connection: RpcConnection, host: HostName, timeoutMs: number): Promise<void> {
  const { events } = connection;
  const from = events.length - connection.recent().length;
  await connection.waitFor(
    ({ type, isTerminal }) => type === lastEvent[host] && isTerminal !== false,
    timeoutMs,
  );
  const deadlineMs = performance.now() + timeoutMs;
  while (host === 'pi073' && (await goesOn(connection, from))) {
    if (performance.now() > deadlineMs) throw new Error(`not settled within ${timeoutMs} ms`);
  }
}

/**
 * pi 0.73 announces a retry or a compaction only after `agent_end`, hence the pause before the
 * question.
 */
async function goesOn({ events, request }: RpcConnection, from: number): Promise<boolean> {
  await sleep(30);
  const { isStreaming, isCompacting } = await request({ type: 'get_state' });
  const recent = events.slice(from);
  return (
    isStreaming === true ||
    isCompacting === true ||
    isOpen(recent, 'auto_retry') ||
    isOpen(recent, 'compaction')
  );
}

function isOpen(events: readonly HostEvent[], what: string): boolean {
  return events.findLast(({ type }) => type.startsWith(`${what}_`))?.type === `${what}_start`;
}
