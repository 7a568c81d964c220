/**
 * Everything the shipper needs once it has work. Loaded only then: at the host's start these ten
 * modules would take several milliseconds. Depends on no package, so that the sources ship without
 * an install.
 */
import { removeIfEmpty } from '../../core/spool/adoption.ts';
import { ownerDirectory } from '../../core/spool/layout.ts';
import { encodeOwner, type SpoolOwner } from '../../core/spool/owner.ts';
import type { Spool } from '../../core/spool/spool.ts';
import type { Clock } from '../clock.ts';
import { createPass, type PassResult } from './pass.ts';
import { createRejected } from './rejected.ts';
import { createShipment } from './shipment.ts';
import type { Transport } from './transport.ts';

export interface Engine {
  /**
   * Runs a pass after the current one: at most one request is in flight. Contract: never rejects.
   */
  run(scope: 'own' | 'all'): Promise<PassResult>;
  /** Removes this process' directory if it is empty. */
  tidy(): Promise<void>;
}

export interface EngineOptions {
  readonly spool: Spool;
  readonly spoolDirectory: string;
  readonly owner: SpoolOwner;
  readonly clock: Clock;
  readonly random: () => number;
  readonly transport: Transport;
  isStopped(): boolean;
  onAck(): void;
  onRejected(reason: string): void;
  onSkipped(reason: string): void;
}

export function createEngine(options: EngineOptions): Engine {
  const { spoolDirectory, owner } = options;
  const shipment = createShipment({ ...options, rejected: createRejected(options) });
  const pass = createPass({ ...options, shipment });
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(scope) {
      const next = last.then(() => pass.run(scope));
      last = next;
      return next;
    },
    tidy: () => removeIfEmpty(ownerDirectory(spoolDirectory, encodeOwner(owner))),
  };
}
