import { join } from 'node:path';
import { expect } from 'vitest';
import type { SpoolOwner } from '../../../core/spool/owner.ts';
import { readOwner } from '../../../core/spool/owner.ts';
import { createSpool, type Spool } from '../../../core/spool/spool.ts';
import type { ReaderWatch } from '../../../extension/shipping/reader-watch.ts';
import { createShipper, type Shipper } from '../../../extension/shipping/shipper.ts';
import { createTransport, type Transport } from '../../../extension/shipping/transport.ts';
import { draftsOf } from '../../core/spool/support/drafts.ts';
import { type ManualClock, manualClock } from '../../core/spool/support/manual-clock.ts';
import { temporaryDirectory } from '../../core/spool/support/places.ts';
import { collectorHome } from '../../core/spool/support/proving.ts';
import { waitMsMax } from '../../support/bounds.ts';
import { eventually } from '../../support/eventually.ts';

export const flushIntervalMs = 1_000;

export interface Setup {
  readonly spoolDirectory: string;
  readonly owner: SpoolOwner;
  readonly spool: Spool;
  readonly shipper: Shipper;
  readonly clock: ManualClock;
  readonly notices: readonly string[];
  /** Wakes the shipper and lets the flush interval pass. */
  ship(): void;
}

export const until = (condition: () => void) => eventually(condition, { intervalMs: 5 });

type State = ReturnType<Shipper['state']>['state'];

export const untilState = ({ shipper }: Setup, state: State) =>
  until(() => expect(shipper.state().state).toBe(state));
export const untilShipped = ({ shipper }: Setup) =>
  until(() => expect(shipper.state()).toMatchObject({ state: 'idle', pendingBytes: 0 }));

/** Leftovers of a dead process: no process has this pid. */
export function leaveBehind(
  spoolDirectory: string,
  pid: number,
  first: number,
  last: number,
): void {
  const owner = { ...readOwner(), pid: 2_000_000_000 + pid };
  createSpool({ spoolDirectory, owner, spoolBytesMax: 1 << 28 }).append(draftsOf(first, last));
}

interface SetupOptions {
  readonly spoolDirectory?: string;
  readonly owner?: SpoolOwner;
  readonly spoolBytesMax?: number;
  readonly random?: () => number;
  readonly timeoutMs?: number;
  readonly transport?: Transport;
  readonly clock?: ManualClock;
  readonly readerWatch?: ReaderWatch;
}

/** For tests that count timers: no collector ever starts. */
const noReader: ReaderWatch = { begin: () => () => undefined };

/** A producer with a real spool and a real connection, and a clock that the test controls. */
export function setUp(url: string, options: SetupOptions = {}): Setup {
  const spoolDirectory = options.spoolDirectory ?? join(temporaryDirectory(), 'spool');
  const owner = options.owner ?? readOwner();
  const spool = createSpool({
    spoolDirectory,
    owner,
    spoolBytesMax: options.spoolBytesMax ?? 1 << 28,
  });
  const { clock = manualClock(Date.now()), readerWatch = noReader } = options;
  const transport =
    options.transport ??
    createTransport({
      url,
      isUrlNamed: false,
      token: null,
      home: collectorHome,
      nowMs: clock.nowMs,
      timeoutMs: options.timeoutMs ?? waitMsMax,
    });
  const notices: string[] = [];
  const notify = (message: string) => void notices.push(message);
  const random = options.random ?? (() => 0.5);
  const shipper = createShipper({
    spool,
    spoolDirectory,
    owner,
    url,
    flushIntervalMs,
    notify,
    clock,
    random,
    transport,
    readerWatch,
  });
  const ship = () => {
    shipper.wake();
    clock.advance(flushIntervalMs);
  };
  return { spoolDirectory, owner, spool, shipper, clock, notices, ship };
}
