/**
 * Ships the spool to the collector: in order, one request in flight, only as long as the process
 * lives.
 *
 * Guarantees: on the host's path it only arms a timer; no timer or socket keeps the host alive,
 * except during `flush`, up to its deadline; nothing is removed before its ack; nothing throws or
 * rejects into the host. Does not guarantee that an event arrives once: a lost answer means a
 * second delivery with the same id. What is left when the process ends is adopted by the next
 * producer or by the collector.
 */
import type { SpoolOwner } from '../../core/spool/owner.ts';
import type { Spool } from '../../core/spool/spool.ts';
import type { Clock } from '../clock.ts';
import { backoffMs } from './backoff.ts';
import type { Engine, EngineOptions } from './engine.ts';
import type { PassResult } from './pass.ts';
import type { ReaderWatch } from './reader-watch.ts';
import type { Retry } from './send-result.ts';
import type { Transport } from './transport.ts';

interface ShipperState {
  /**
   * `waiting`: the last attempt failed, the next one is scheduled. `unauthorized`: the same,
   * because the token was rejected.
   */
  readonly state: 'idle' | 'shipping' | 'waiting' | 'unauthorized';
  /** Bytes of this process that are not acknowledged. */
  readonly pendingBytes: number;
  readonly lastAckAtMs: number | null;
  /** The last attempt failed with it; after a success it is null. */
  readonly lastError: string | null;
  /** Set aside in `rejected/`, or dropped because that is full, since the process started. */
  readonly rejectedEvents: number;
}

export interface Shipper {
  /**
   * Something was appended, or could not be: ships after `flushIntervalMs`. Contract: never throws;
   * arms at most one unref'd timer.
   */
  wake(): void;
  /**
   * At the end of a process: ships its own segments until done, the first failure or `timeoutMs`.
   * Resolves at once if a collector reads this spool (it adopts what is left), or if the last
   * attempt timed out or its token was rejected. Contract: never rejects.
   */
  flush(timeoutMs: number): Promise<void>;
  /**
   * On the user's request: retries at once what waits for its next attempt. Null if nothing waits;
   * else resolves when the attempt is over, after at most `timeoutMs`. Contract: never rejects.
   */
  retry(timeoutMs: number): Promise<void> | null;
  state(): ShipperState;
}

export interface ShipperOptions {
  readonly spool: Spool;
  readonly spoolDirectory: string;
  readonly owner: SpoolOwner;
  /** For messages only; the transport knows where to send. */
  readonly url: string;
  readonly flushIntervalMs: number;
  /** Shows one line to the user. */
  readonly notify: (message: string) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly transport: Transport;
  readonly readerWatch: ReaderWatch;
}

/** After a rejected token, which takes a human to fix. */
export const unauthorizedRetryMs = 5 * 60 * 1000;

export function createShipper(options: ShipperOptions): Shipper {
  const { spool, clock } = options;
  let phase: ShipperState['state'] = 'idle';
  let failures = 0;
  let lastCause: Retry['cause'] | null = null;
  let lastAckAtMs: number | null = null;
  let lastError: string | null = null;
  /** Error that the current or last pass did not stop at. */
  let passError: string | null = null;
  let rejectedEvents = 0;
  let isClosing = false;
  let disarm: (() => void) | null = null;

  const engine = lazyEngine({
    ...options,
    isStopped: () => isClosing,
    onAck() {
      lastAckAtMs = clock.nowMs();
    },
    onRejected(reason) {
      rejectedEvents += 1;
      passError = reason;
    },
    onSkipped(reason) {
      passError = reason;
    },
  });
  const notifyOnce = createNotices(options.notify);

  function arm(delayMs: number): void {
    disarm?.();
    disarm = clock.after(delayMs, () => void run('all'));
  }

  /** As `arm`, but also as soon as a collector starts to read this spool. */
  function armRetry(delayMs: number): void {
    arm(delayMs);
    const disarmTimer = disarm;
    const endWatch = options.readerWatch.begin(() => void retryNow());
    disarm = () => {
      disarmTimer?.();
      endWatch();
    };
  }

  /** A collector may have started: the backoff starts over. */
  function retryNow(): Promise<void> {
    failures = 0;
    return run('all');
  }

  /** Contract: never rejects. */
  async function run(scope: 'own' | 'all'): Promise<void> {
    disarm?.();
    disarm = null;
    phase = 'shipping';
    passError = null;
    try {
      settle(await (await engine()).run(scope));
    } catch (error) {
      settle({ state: 'retry', cause: 'local', reason: String(error) });
    }
  }

  function settle(result: PassResult): void {
    disarm?.();
    disarm = null;
    lastCause = result.state === 'retry' ? result.cause : null;
    switch (result.state) {
      case 'done':
        phase = 'idle';
        failures = 0;
        lastError = passError;
        if (spool.ownBytes() > 0) arm(options.flushIntervalMs);
        return;
      case 'retry':
        phase = 'waiting';
        failures += 1;
        lastError = result.reason;
        if (result.cause === 'stranger') notifyOnce('stranger', strangerText(options.url, result));
        armRetry(Math.max(result.retryAfterMs ?? 0, backoffMs(failures, options.random())));
        return;
      case 'unauthorized':
        phase = 'unauthorized';
        lastError = `status ${result.status}`;
        notifyOnce(
          'unauthorized',
          `pi-ledger: the collector at ${options.url} rejects the token (${result.status}). ` +
            'Events stay in the spool. Set a valid one in PI_LEDGER_TOKEN.',
        );
        armRetry(unauthorizedRetryMs);
        return;
    }
  }

  /** Contract: never rejects. */
  async function finish(): Promise<void> {
    try {
      const { isReaderFresh } = await import('../../core/spool/lease.ts');
      if (isReaderFresh(options.spoolDirectory, clock.nowMs(), options.owner)) return;
      if (spool.ownBytes() > 0) await run('own');
      await (await engine()).tidy();
    } catch (error) {
      lastError = String(error);
    }
  }

  /** An attempt that just failed this way would only delay the host's end. */
  const isHopeless = () =>
    phase === 'unauthorized' || (phase === 'waiting' && lastCause === 'timeout');

  return {
    wake() {
      isClosing = false;
      if (phase === 'idle' && disarm === null) arm(options.flushIntervalMs);
    },
    async flush(timeoutMs) {
      isClosing = true;
      const hasNothingToDo = spool.ownBytes() === 0 && lastAckAtMs === null;
      if (timeoutMs > 0 && !hasNothingToDo && !isHopeless())
        await within(clock, timeoutMs, finish());
    },
    retry: (timeoutMs) =>
      phase === 'waiting' || phase === 'unauthorized' ? within(clock, timeoutMs, retryNow()) : null,
    state: () => ({
      state: phase,
      pendingBytes: spool.ownBytes(),
      lastAckAtMs,
      lastError,
      rejectedEvents,
    }),
  };
}

function strangerText(url: string, { reason, remedy }: Retry): string {
  const kept =
    `pi-ledger: the program at ${url} is not a trusted collector (${reason}). ` +
    'Nothing is lost: events stay in the spool.';
  return remedy === undefined ? kept : `${kept} ${remedy}`;
}

/** One engine for all callers, including those that ask while it loads. */
function lazyEngine(options: EngineOptions): () => Promise<Engine> {
  let engine: Promise<Engine> | null = null;
  return () => {
    engine ??= import('./engine.ts').then(({ createEngine }) => createEngine(options));
    return engine;
  };
}

/** Resolves with the work or at the deadline; only the deadline's timer keeps the process alive. */
function within(clock: Clock, timeoutMs: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(timeoutMs, resolve, true);
    void work.then(() => {
      cancel();
      resolve();
    });
  });
}

/** Shows each message once in the lifetime of the shipper. */
function createNotices(
  notify: (message: string) => void,
): (topic: string, message: string) => void {
  const said = new Set<string>();
  return (topic, message) => {
    if (said.has(topic)) return;
    said.add(topic);
    notify(message);
  };
}
