/** A real store in a temporary file, and what its views hold. */
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { afterEach, expect } from 'vitest';
import type { Checkpoints } from '../../../collector/log/checkpoints.ts';
import type { Log } from '../../../collector/log/log.ts';
import { producers } from '../../../collector/projections/producers.ts';
import type { Projection, Rollup } from '../../../collector/projections/projection.ts';
import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { openSqliteCheckpoints } from '../../../collector/stores/sqlite/store.ts';
import { openSqliteViews } from '../../../collector/stores/sqlite/views/views.ts';
import {
  createFoldingSubscription,
  type FoldingSubscriptionOptions,
} from '../../../collector/subscription/folding-subscription.ts';
import type { Subscription } from '../../../collector/subscription/subscription.ts';
import type { Views } from '../../../collector/views/views.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { type Folded, fold } from '../projections/support/fold.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { receivedAtMs } from './received-at.ts';

export interface Ledger {
  readonly path: string;
  readonly log: Log;
  readonly views: Views;
  readonly checkpoints: Checkpoints;
  append(events: readonly LedgerEvent[]): Promise<void>;
  /** What its subscriptions reported. */
  readonly errors: Error[];
  /** What subscribers said for the log. */
  readonly notices: string[];
  /** Stopped after the test. */
  subscribe(options?: Partial<FoldingSubscriptionOptions>): Subscription;
}

export function ledgers(): { open(): Ledger } {
  const directory = temporaryDirectory();
  const closing: (() => Promise<void>)[] = [];
  let opened = 0;
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  return {
    open() {
      opened += 1;
      const path = join(directory, `${opened}.db`);
      const log = openSqliteLog({ path });
      const views = openSqliteViews({ path });
      const checkpoints = openSqliteCheckpoints({ path });
      const errors: Error[] = [];
      const notices: string[] = [];
      closing.push(
        () => log.close(),
        () => views.close(),
        () => checkpoints.close(),
      );
      return {
        path,
        log,
        views,
        checkpoints,
        errors,
        notices,
        async append(events) {
          await log.append({ receivedAtMs, events, deadLetters: [] });
        },
        subscribe(options) {
          const onError = (error: unknown) => errors.push(error as Error);
          const subscription = createFoldingSubscription({
            log,
            views,
            projections: createProjections(noRules),
            onError,
            ...options,
          });
          closing.push(() => subscription.stop());
          return subscription;
        },
      };
    },
  };
}

export interface Contents {
  readonly sessions: Record<string, string>;
  readonly producers: Record<string, string>;
  readonly usage: Record<string, readonly bigint[]>;
  readonly totals: Record<string, readonly bigint[]>;
  /** Of every other cumulative rollup whose view there is, its name before the dimensions. */
  readonly counters: Record<string, Record<string, readonly bigint[]>>;
  /** Of each rollup that is coarser than `usage`, its name before the dimensions. */
  readonly coarser: Record<string, readonly bigint[]>;
}

export async function contentsOf(views: Views): Promise<Contents> {
  const documents = async (projection: typeof sessions | typeof producers) => {
    const found = await views.find(projection, {
      where: [],
      orderBy: { column: 'key', descending: false },
      limit: 100_000,
    });
    return Object.fromEntries(found.map(({ key, body }) => [key, body]));
  };
  const rows = async (rollup: Rollup, projection: Projection = sessions) => {
    const sums = await views.sum(projection, rollup, { by: rollup.dimensions, where: [] });
    return Object.fromEntries(
      sums.map(({ dimensions, measures }) => [
        Object.values(dimensions).join(),
        Object.values(measures),
      ]),
    );
  };
  return {
    sessions: await documents(sessions),
    producers: await documents(producers),
    usage: await rows(usage),
    totals: await rows(totals),
    counters: Object.fromEntries(
      await Promise.all(
        counters.map(async ({ projection, rollup }) => {
          const isThere = (await views.live(projection)) !== null;
          return [isThere ? rollup.name : '', isThere ? await rows(rollup, projection) : {}];
        }),
      ),
    ),
    coarser: Object.assign(
      {},
      ...(await Promise.all(
        coarserThanUsage.map(async (rollup) => under(rollup.name, await rows(rollup))),
      )),
    ),
  };
}

/** What a fold from scratch, in memory, makes of these events. */
export function expectedContents(
  events: readonly LedgerEvent[],
  projection: Projection = sessions,
): Contents {
  const folded = fold(projection, events);
  const rows = (rollup: Rollup, dimensions = rollup.dimensions, from: Folded<unknown> = folded) =>
    Object.fromEntries(
      Object.entries(from.rows(rollup, ...dimensions)).map(([key, measures]) => [
        key,
        Object.values(measures),
      ]),
    );
  return {
    sessions: folded.documents(),
    producers: withReceipt(fold(producers, events).documents()),
    usage: rows(usage),
    totals: rows(totals),
    counters: Object.fromEntries(
      counters.map(({ projection: other, rollup }) => [
        rollup.name,
        rows(rollup, rollup.dimensions, fold(other, events)),
      ]),
    ),
    coarser: Object.assign(
      {},
      ...coarserThanUsage.map(({ name, dimensions }) => under(name, rows(usage, dimensions))),
    ),
  };
}

const counters = createProjections(noRules).flatMap((projection) =>
  (projection.sealing?.cumulative ?? [])
    .filter((rollup) => rollup !== totals)
    .map((rollup) => ({ projection, rollup })),
);
const coarserThanUsage = usage.coarser ?? [];

function under(
  name: string,
  rows: Record<string, readonly bigint[]>,
): Record<string, readonly bigint[]> {
  return Object.fromEntries(
    Object.entries(rows).map(([key, measures]) => [`${name}: ${key}`, measures]),
  );
}

/** Names what differs instead of printing all of it. */
export function expectContents(found: Partial<Contents>, expected: Partial<Contents>): void {
  const parts = ['sessions', 'producers', 'usage', 'totals', 'coarser'] as const;
  for (const part of parts) expectPart(part, found[part] ?? {}, expected[part] ?? {});
  for (const [part, rows] of Object.entries(found.counters ?? {}))
    expectPart(part, rows, expected.counters?.[part] ?? {});
}

type Part = Record<string, string | readonly bigint[]>;

function expectPart(part: string, have: Part, want: Part): void {
  const differing = [...new Set([...Object.keys(have), ...Object.keys(want)])].filter(
    (key) => String(have[key]) !== String(want[key]),
  );
  const [first = ''] = differing;
  expect({ part, differing: differing.length, first, value: String(have[first]) }).toEqual({
    part,
    differing: 0,
    first: '',
    value: 'undefined',
  });
}

/** The events of the log up to a position, in order. */
export async function readEvents(log: Log, to = Number.MAX_SAFE_INTEGER): Promise<LedgerEvent[]> {
  const events: LedgerEvent[] = [];
  for (;;) {
    const read = await log.read(events.length, Math.min(1_000, to - events.length));
    if (read.length === 0) return events;
    events.push(...read.map(({ event }) => event));
  }
}

/** All events here are received at the same time, those of `fold` one after the other. */
function withReceipt(documents: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(documents).map(([key, body]) => [
      key,
      JSON.stringify({ ...JSON.parse(body), lastReceivedAtMs: receivedAtMs }),
    ]),
  );
}
