/** What the connections of one proxy share: what happens to all of them, and what was counted. */
import type { Socket } from 'node:net';
import type { Weather } from './weather.ts';

export type IsRequest = (chunk: Buffer) => boolean;

export interface FaultCounts {
  requests: number;
  /** The server's end of the connection closed with no byte of an answer. */
  unanswered: number;
  cut: number;
  answersLost: number;
  deliveredAgain: number;
}

export interface Network {
  readonly isRequest: IsRequest;
  readonly sockets: Set<Socket>;
  readonly links: Set<Link>;
  readonly listeners: Set<() => void>;
  /** What the newest connections sent whole. */
  readonly recent: Buffer[];
  readonly counts: FaultCounts;
  delayMs: number;
  isHanging: boolean;
  losing: { readonly isRequest: IsRequest; done(): void } | null;
  weather: Weather | null;
}

/** One connection, both halves. */
export interface Link {
  readonly sent: Buffer[];
  sentBytes: number;
  hasRequest: boolean;
  isAwaiting: boolean;
  /** Called instead of passing the answer on. */
  loseAnswer: (() => void) | null;
  end(): void;
}

export function newNetwork(isRequest: IsRequest): Network {
  return {
    isRequest,
    sockets: new Set(),
    links: new Set(),
    listeners: new Set(),
    recent: [],
    counts: { requests: 0, unanswered: 0, cut: 0, answersLost: 0, deliveredAgain: 0 },
    delayMs: 0,
    isHanging: false,
    losing: null,
    weather: null,
  };
}

/** Until it closes. */
export function hold(socket: Socket, { sockets }: Network): void {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
}
