/**
 * One pass of the shipper: this process' own segments first, then those adopted from dead
 * producers. It stops at the first segment that the collector does not accept, to preserve order.
 * Occasionally it also measures the spool and prunes marks.
 */
import { join } from 'node:path';
import { adoptDead, removeIfEmpty, segmentsIn } from '../../core/spool/adoption.ts';
import { adoptedDirectory, ownerDirectory, segmentCounter } from '../../core/spool/layout.ts';
import { isReaderFresh } from '../../core/spool/lease.ts';
import { encodeOwner, type SpoolOwner } from '../../core/spool/owner.ts';
import { pruneMarks } from '../../core/spool/prune-marks.ts';
import type { Spool } from '../../core/spool/spool.ts';
import type { Clock } from '../clock.ts';
import type { Shipment, ShipmentResult } from './shipment.ts';

/**
 * Interval for measuring the spool and looking for dead producers, starting with the first pass.
 */
export const upkeepIntervalMs = 5 * 60 * 1000;

/** Adoption rounds per pass: with `adoptedSegmentsMax` each, more than a full spool. */
const adoptionRoundsMax = 100;

export type PassResult =
  | { readonly state: 'done' }
  | Extract<ShipmentResult, { state: 'retry' | 'unauthorized' }>;

export interface Pass {
  /**
   * Contract: never rejects. With scope `own` it only ships this process' segments. When stopped,
   * it finishes those and leaves the others'.
   */
  run(scope: 'own' | 'all'): Promise<PassResult>;
}

export interface PassOptions {
  readonly spool: Spool;
  readonly spoolDirectory: string;
  readonly owner: SpoolOwner;
  readonly clock: Clock;
  readonly random: () => number;
  readonly shipment: Shipment;
  isStopped(): boolean;
  onSkipped(reason: string): void;
}

export function createPass(options: PassOptions): Pass {
  const { spool, spoolDirectory, owner, clock, random, shipment } = options;
  const ownDirectory = ownerDirectory(spoolDirectory, encodeOwner(owner));
  const ownAdopted = adoptedDirectory(spoolDirectory, encodeOwner(owner));
  let upkeepAtMs = Number.NEGATIVE_INFINITY;

  /** Lets the host work, or end, between two slices: waits on an unref'd timer only. */
  const pause = () => new Promise<void>((resolve) => void clock.after(0, resolve));

  async function shipAll(paths: readonly string[], whose: 'own' | 'others'): Promise<PassResult> {
    for (const path of paths) {
      if (whose === 'others' && options.isStopped()) break;
      const trouble = account(await shipment.ship(path), whose);
      if (trouble !== null) return trouble;
    }
    return { state: 'done' };
  }

  /** Returns null if the next segment may follow. */
  function account(result: ShipmentResult, whose: 'own' | 'others'): PassResult | null {
    switch (result.state) {
      case 'shipped':
        spool.removed(result.removedBytes, whose);
        return null;
      case 'skipped':
        // Nothing is sent after a skipped own segment, or order would be lost; others' segments are
        // independent.
        if (whose === 'own') return { state: 'retry', cause: 'local', reason: result.reason };
        options.onSkipped(result.reason);
        return null;
      default:
        return result;
    }
  }

  async function shipOwn(): Promise<PassResult> {
    const openCounter = spool.seal();
    const closed = (await segmentsIn(ownDirectory)).filter(
      (name) => (segmentCounter(name) ?? openCounter) < openCounter,
    );
    return shipAll(pathsIn(ownDirectory, closed), 'own');
  }

  async function shipAdopted(): Promise<PassResult> {
    return shipAll(pathsIn(ownAdopted, await segmentsIn(ownAdopted)), 'others');
  }

  /** If a collector reads this spool, it adopts by itself. */
  async function adoptAndShip(): Promise<PassResult> {
    for (let round = 0; round < adoptionRoundsMax && !options.isStopped(); round += 1) {
      const nowMs = clock.nowMs();
      if (isReaderFresh(spoolDirectory, nowMs, owner)) break;
      if ((await adoptDead({ spoolDirectory, adopter: owner, nowMs, random })).length === 0) break;
      const result = await shipAdopted();
      if (result.state !== 'done') return result;
      await pause();
    }
    await removeIfEmpty(ownAdopted);
    return { state: 'done' };
  }

  return {
    async run(scope) {
      if (scope === 'own') return shipOwn();
      const isUpkeepDue = clock.nowMs() - upkeepAtMs >= upkeepIntervalMs;
      if (isUpkeepDue) {
        upkeepAtMs = clock.nowMs();
        await spool.measure(pause);
        await pruneMarks({ spoolDirectory, nowMs: upkeepAtMs, random, pause });
      }
      const own = await shipOwn();
      if (own.state !== 'done') return own;
      const adopted = await shipAdopted();
      if (adopted.state !== 'done' || !isUpkeepDue) return adopted;
      return adoptAndShip();
    },
  };
}

const pathsIn = (directory: string, names: readonly string[]): readonly string[] =>
  names.map((name) => join(directory, name));
