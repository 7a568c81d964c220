/**
 * The wire to a host in RPC mode: commands as JSON lines on its stdin, responses and events as JSON
 * lines on its stdout.
 */

import { waitMsMax } from '../../../support/bounds.ts';
import { type HostEvent, jsonLineReader } from './json-lines.ts';
import type { HostProcess } from './processes.ts';

interface RpcCommand {
  readonly type: string;
  readonly [argument: string]: unknown;
}

/** The `data` of a response; what is in it differs by command and host. */
export type RpcData = Readonly<Record<string, unknown>>;

/**
 * Contract: `request` rejects when the host says no. It and `waitFor` reject when the host ends
 * first and after the time limit, and then tell what came last. `waitFor` looks at the events since
 * the last command, those that have come already included, so none can slip through between a
 * command and the wait for what it causes.
 */
export interface RpcConnection {
  /** Everything the host has written, responses included, oldest first. */
  readonly events: readonly HostEvent[];
  send(command: RpcCommand): void;
  request(command: RpcCommand, timeoutMs?: number): Promise<RpcData>;
  waitFor(fits: string | ((event: HostEvent) => boolean), timeoutMs?: number): Promise<HostEvent>;
  /** Events since the last command. */
  recent(): readonly HostEvent[];
}

export function rpcConnection(process: HostProcess): RpcConnection {
  const events: HostEvent[] = [];
  const watchers = new Set<() => void>();
  let ending: string | undefined;
  let mark = 0;
  let sent = 0;

  const wake = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  const end = (why: string): void => {
    ending = why;
    wake();
  };
  const onEvent = (event: HostEvent): void => {
    events.push(event);
    wake();
  };
  process.child.stdout?.on('data', jsonLineReader(onEvent));
  process.child.stdin?.on('error', (error) => end(error.message));
  process.done.then(
    (run) => end(`the host ended (${run.exitCode ?? run.signal}) ${run.stderr.slice(-500)}`),
    (error: Error) => end(error.message),
  );

  const eventually = (
    what: string,
    fits: (event: HostEvent) => boolean,
    timeoutMs: number,
  ): Promise<HostEvent> =>
    new Promise((resolve, reject) => {
      const from = mark;
      const settle = (outcome: () => void): void => {
        clearTimeout(timer);
        watchers.delete(look);
        outcome();
      };
      const fail = (why: string): void =>
        settle(() => reject(new Error(`${what}: ${why}; last: ${lastTypes(events)}`)));
      const look = (): void => {
        const found = events.slice(from).find(fits);
        if (found) settle(() => resolve(found));
        else if (ending !== undefined) fail(ending);
      };
      const timer = setTimeout(() => fail(`nothing within ${timeoutMs} ms`), timeoutMs);
      watchers.add(look);
      look();
    });

  const send = (command: RpcCommand): void => {
    mark = events.length;
    process.child.stdin?.write(`${JSON.stringify(command)}\n`);
  };

  return {
    events,
    send,
    async request(command, timeoutMs = waitMsMax) {
      const id = `request-${++sent}`;
      send({ id, ...command });
      const response = await eventually(
        command.type,
        (event) => answers(event, id, command),
        timeoutMs,
      );
      if (response.success !== true) throw new Error(`${command.type}: ${String(response.error)}`);
      return (response.data ?? {}) as RpcData;
    },
    waitFor: (fits, timeoutMs = waitMsMax) =>
      typeof fits === 'string'
        ? eventually(fits, ({ type }) => type === fits, timeoutMs)
        : eventually('event', fits, timeoutMs),
    recent: () => events.slice(mark),
  };
}

/** Hosts refuse a command that they do not know without repeating its id. */
function answers(event: HostEvent, id: string, command: RpcCommand): boolean {
  return (
    event.type === 'response' &&
    (event.id === id || (event.id === undefined && event.command === command.type))
  );
}

function lastTypes(events: readonly HostEvent[]): string {
  return events
    .slice(-8)
    .map(({ type, command }) => (command === undefined ? type : `${type} ${String(command)}`))
    .join(', ');
}
