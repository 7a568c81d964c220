/** A ledger on one store, or on those of several cells, with the routes that answer from it. */
import { randomBytes } from 'node:crypto';
import type { LedgerEvent } from '@pi-ledger/contract';
import type { NamedBudget } from '../../../collector/answers/budgets/definition.ts';
import { answersGroup } from '../../../collector/answers/groups.ts';
import { withBudgets } from '../../../collector/answers/metrics/budgets.ts';
import { createCounters } from '../../../collector/answers/metrics/counters.ts';
import type { OwnLimits } from '../../../collector/answers/quota/limits.ts';
import { drawTokenText } from '../../../collector/auth/token-text.ts';
import { joinLogs } from '../../../collector/cells/log/joined-log.ts';
import { joinViews } from '../../../collector/cells/views/joined-views.ts';
import { createScrapeReader } from '../../../collector/exporters/metrics/readers.ts';
import { contentTypes, expositionPieces } from '../../../collector/exporters/metrics/text.ts';
import { severalAnswersRoutes } from '../../../collector/http/page/group.ts';
import { createServer } from '../../../collector/http/server.ts';
import { partitionOf } from '../../../collector/ingest/kafka/partition-of.ts';
import type { Log } from '../../../collector/log/log.ts';
import { createProjections } from '../../../collector/projections/registry.ts';
import type { FoldRules } from '../../../collector/projections/rules.ts';
import { createSessions } from '../../../collector/projections/sessions.ts';
import { createVerified } from '../../../collector/projections/verified.ts';
import type { Store } from '../../../collector/stores/store.ts';
import { createFoldingSubscription } from '../../../collector/subscription/folding-subscription.ts';
import type { ViewsReader } from '../../../collector/views/views.ts';
import { withWholeDays } from '../../../collector/views/whole-days.ts';

/** An event with the time of its receipt. */
export interface Given {
  readonly event: LedgerEvent;
  readonly receivedAtMs: number;
}

/** What the ledger is asked with: the same for one cell and for several. */
export interface Setting {
  readonly rules: FoldRules;
  readonly budgets: readonly NamedBudget[];
  readonly limits: OwnLimits;
  readonly pullRequests: string | null;
  readonly nowMs: number;
  readonly tokens: Store['tokens'];
  readonly minimumUsers: number;
}

export interface Asked {
  readonly url: string;
  /** Asked with POST. */
  readonly body?: object;
  readonly token?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface CellsLedger {
  readonly log: Log;
  readonly views: ViewsReader;
  ask(asked: Asked): Promise<Answer>;
  close(): Promise<void>;
}

const machineToken = drawTokenText(randomBytes);

/** Appends to each cell what belongs to it, in the order given, and folds it. */
export async function fill(
  stores: readonly Store[],
  given: readonly Given[],
  rules: FoldRules,
): Promise<void> {
  for (const [cell, store] of stores.entries()) {
    const own = given.filter(({ event }) => partitionOf(event, stores.length) === cell);
    await leading(store, () => fillOne(store, own, rules));
  }
}

/**
 * Does it again where a lease ended meanwhile, which no other process wants: events that come
 * again count once.
 */
async function leading({ right }: Store, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (right.isHeld() || !(await right.take())) throw error;
    }
  }
}

async function fillOne(
  { log, views }: Store,
  given: readonly Given[],
  rules: FoldRules,
): Promise<void> {
  await appendAll(log, given);
  const errors: unknown[] = [];
  const subscription = createFoldingSubscription({
    ...{ log, views, projections: createProjections(rules) },
    onError: (error) => void errors.push(error),
  });
  await subscription.catchUp();
  await subscription.stop();
  if (errors.length > 0) throw errors[0];
}

export async function serve(stores: readonly Store[], setting: Setting): Promise<CellsLedger> {
  const [first] = stores;
  if (first === undefined) throw new Error('there is no store');
  const log = stores.length === 1 ? first.log : joinLogs(stores.map((store) => store.log));
  const views = withWholeDays(stores.length === 1 ? first.views : joinViews(stores));
  const { rules, budgets, limits, pullRequests, minimumUsers, nowMs } = setting;
  const now = () => nowMs;
  const app = await createServer({
    routes: [
      answersGroup({
        ...{ log, views, rules, pullRequests, limits, now },
        configured: () => budgets,
        leftOut: () => [],
        hidden: { read: () => new Set(), hide: () => new Set() },
        readStanding: async () => ({
          trouble: null,
          problem: null,
          views: [],
          importing: null,
          leftOut: { files: 0, count: 0 },
        }),
        readCommand: () => 'pi-ledger',
        readMetrics: metricsOf(first, views, setting),
        settleViews: async () => undefined,
      }),
      async (app) => {
        await app.register(severalAnswersRoutes);
      },
    ],
    version: '0',
    access: {
      ...{ mode: 'tokens', tokens: setting.tokens, machineToken, minimumUsers, now },
      readHomeKey: async () => null,
      hosts: [],
      requestsPerMinuteMax: 0,
    },
    tls: null,
    logger: null,
  });
  return {
    log,
    views,
    async ask({ url, body, token = machineToken }) {
      const answer = await app.inject({
        url,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: 'localhost', authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { payload: body }),
      });
      return { status: answer.statusCode, text: answer.body };
    },
    close: () => app.close(),
  };
}

/** As the role `all` does it, with one resource for both. */
function metricsOf(
  { checkpoints }: Store,
  views: ViewsReader,
  { rules, budgets, limits, nowMs }: Setting,
): Parameters<typeof answersGroup>[0]['readMetrics'] {
  const now = () => nowMs;
  const counters = withBudgets(
    createCounters(views, { users: true, now }),
    {
      ...{ views, sessions: createSessions(rules), verified: createVerified(rules) },
      ...{ limits, now, configured: () => budgets },
    },
    (error) => {
      throw error;
    },
  );
  const reader = createScrapeReader({ counters, checkpoints, now });
  return async (format) => {
    const exposition = await reader.next();
    if (exposition === null) return null;
    const shown = { exposition, resource: { 'service.name': 'agents' } };
    const pieces = await expositionPieces([shown], format);
    return { type: contentTypes[format], pieces };
  };
}

const eventsPerGroup = 5_000;

/** In their order, and as few commits as possible. */
async function appendAll(log: Log, given: readonly Given[]): Promise<void> {
  for (let from = 0; from < given.length; from += eventsPerGroup) {
    const together = Map.groupBy(
      given.slice(from, from + eventsPerGroup),
      ({ receivedAtMs }) => receivedAtMs,
    );
    await Promise.all(
      [...together].map(([receivedAtMs, some]) =>
        log.append({ receivedAtMs, events: some.map(({ event }) => event), deadLetters: [] }),
      ),
    );
  }
}
