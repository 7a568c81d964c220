/** Is the ledger ready? It is when its store answers and every view has folded what was there at the start. */
import type { Health } from './http/health.ts';
import type { Log } from './log/log.ts';
import type { Subscription } from './subscription.ts';

export interface HealthOptions {
  readonly log: Log;
  readonly subscription: Subscription;
  readonly version: string;
  readonly storeId: string;
}

/** Reads the log's head now: that is what the views have to reach. The reader never rejects. */
export async function createHealthReader({ log, subscription, version, storeId }: HealthOptions): Promise<() => Promise<Health>> {
  const heads = await Promise.all(log.partitions.map((partition) => log.head(partition)));
  const headAtStart = Math.max(0, ...heads);

  async function read(): Promise<Health> {
    const views = (await subscription.state()).map(({ projection, position, head }) => ({ projection, position, head }));
    const behind = views.filter(({ position }) => position < headAtStart);
    const failure = subscription.failure();
    const problems = [
      ...(failure === null ? [] : [`The views do not advance: ${failure.message}`]),
      ...behind.map(({ projection, position }) => `The view ${projection} is being folded: ${position} of ${headAtStart} events.`),
    ];
    return { ready: problems.length === 0, version, storeId, problems, views };
  }

  return () =>
    read().catch((error: unknown) => ({
      ready: false,
      version,
      storeId,
      problems: [`The store cannot be read: ${messageOf(error)}`],
      views: [],
    }));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
