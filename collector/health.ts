/**
 * Is the ledger ready? It is when its store answers, it may write it, and every view has folded what was there at the start. A collector that stands by is
 * well, and not ready: whoever balances load sends nothing to it.
 */
import type { Health } from './http/health.ts';
import type { Log } from './log/log.ts';
import type { WriteRight } from './store.ts';
import type { Subscription } from './subscription.ts';

export interface HealthOptions {
  readonly log: Log;
  readonly subscription: Subscription;
  readonly right: WriteRight;
  readonly version: string;
  readonly storeId: string;
}

/** Reads the log's head now: that is what the views have to reach. The reader never rejects. */
export async function createHealthReader({ log, subscription, right, version, storeId }: HealthOptions): Promise<() => Promise<Health>> {
  const heads = await Promise.all(log.partitions.map((partition) => log.head(partition)));
  const headAtStart = Math.max(0, ...heads);

  async function read(): Promise<Health> {
    const views = (await subscription.state()).map(({ projection, position, head }) => ({ projection, position, head }));
    const behind = views.filter(({ position }) => position < headAtStart);
    const failure = subscription.failure();
    const role = roleOf(right);
    const problems = [
      ...(role === 'standby' ? ['Another process writes to this store: this one stands by.'] : []),
      ...(failure === null ? [] : [`The views do not advance: ${failure.message}`]),
      ...behind.map(({ projection, position }) => `The view ${projection} is being folded: ${position} of ${headAtStart} events.`),
    ];
    return { ready: problems.length === 0, role, version, storeId, problems, views };
  }

  return () =>
    read().catch((error: unknown) => ({
      ready: false,
      role: roleOf(right),
      version,
      storeId,
      problems: [`The store cannot be read: ${messageOf(error)}`],
      views: [],
    }));
}

function roleOf(right: WriteRight): Health['role'] {
  return right.isHeld() ? 'active' : 'standby';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
