/** What the harness does harm to: servers with bad networks between them, and where agents are. */
import type { SmallDisk } from '../../../test/hosts/support/machine/disks.ts';
import type { IsRequest } from '../../../test/support/fault-proxy/network.ts';
import type { FaultProxy } from '../../../test/support/fault-proxy.ts';
import type { Program } from './program.ts';

export type Kind = 'collector' | 'gateway' | 'worker' | 'broker' | 'database';

/** A server that can be killed. */
export interface Victim {
  readonly kind: Kind;
  /** How likely it is drawn, beside the others. */
  readonly weight: number;
  /** Where its writes pass. */
  readonly doors: readonly FaultProxy[];
  /** Whether it answers at these doors; else it asks there. */
  readonly answers: boolean;
  /**
   * SIGKILL. Contract: the signal is sent before it returns; resolves when it has ended, with the
   * number of its writes that were in flight.
   */
  kill(): Promise<number>;
  /** Resolves when what was killed serves again. */
  restart(): Promise<void>;
  pause(): void;
  resume(): void;
}

export interface World {
  readonly victims: readonly Victim[];
  /** Those that are programs of ours. */
  readonly programs: readonly Program[];
  /** All networks between them. */
  readonly proxies: readonly FaultProxy[];
  /** Before whoever takes events in. */
  readonly fronts: readonly FaultProxy[];
  /** Where they keep their spool, as an agent's machine does. */
  readonly agents: { readonly home: string; readonly token: string };
  /** Of each program, however many events it took in. */
  readonly residentBytesMax: number;
  /** Whether what is acknowledged is in the log; else it may be on its way to it. */
  readonly isAckInLog: boolean;
  /** Whether dead producers' spools are read from disk by a collector. */
  readonly readsSpool: boolean;
  /** Where agents or the store keep their files, if it can be made small. */
  readonly disk: SmallDisk | null;
  /** Those who answer questions. */
  readonly readers: readonly Program[];
  stop(): Promise<void>;
}

interface WorldOptions {
  /** Empty; the world's alone. */
  readonly directory: string;
}

export type OpenWorld = (options: WorldOptions) => Promise<World>;

/** A client that sends events. */
export const isPost: IsRequest = (chunk) => chunk.subarray(0, postLine.length).equals(postLine);
const postLine = Buffer.from('POST /v1/events');

export function writesInFlight({ doors }: Victim): number {
  return doors.reduce((sum, door) => sum + door.inFlight(), 0);
}
