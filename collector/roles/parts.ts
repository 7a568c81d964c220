/** What roles are composed from: everything that works on one open store, nothing started yet. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readOwner } from '@pi-ledger/core/spool/owner';
import type { BillingRules } from '../answers/billing/route.ts';
import { wantedBy } from '../answers/budgets/definition.ts';
import type { ReadMetrics } from '../answers/metrics/route.ts';
import { createSessionFacts } from '../answers/sessions/facts.ts';
import { homeFiles } from '../config/home-files.ts';
import { changedIds } from '../http/page/live/changed.ts';
import type { LiveRouteOptions } from '../http/page/live/route.ts';
import { readLost } from '../importers/progress/lost.ts';
import { readImporting } from '../importers/progress/scans.ts';
import { createIngest, type Ingest } from '../ingest/ingest.ts';
import { createIntake, type Intake } from '../ingest/kafka/intake.ts';
import { createSpoolReader, type SpoolReader } from '../ingest/spool-reader.ts';
import { createCommittedPositions } from '../process/committed-positions.ts';
import { createExportMarks } from '../process/export-marks.ts';
import { createHealthReader } from '../process/health.ts';
import { undelivered } from '../process/notices/deliveries.ts';
import { createNotices } from '../process/notices/subscriber.ts';
import { noticeTargets } from '../process/notices/targets.ts';
import { measuredIngest } from '../process/own-health/measure.ts';
import { createStandingReader } from '../process/standing.ts';
import { createProjections } from '../projections/registry.ts';
import { noRules } from '../projections/rules.ts';
import { createSessions } from '../projections/sessions.ts';
import { createSealer, type Sealer } from '../seal/sealer.ts';
import { createFoldingSubscription } from '../subscription/folding-subscription.ts';
import { createIdleSubscription } from '../subscription/idle-subscription.ts';
import { createSubscribers, type Subscribers } from '../subscription/subscribers.ts';
import {
  createSwitchingSubscription,
  type SwitchingSubscription,
} from '../subscription/switching-subscription.ts';
import { within } from '../timers/within.ts';
import { createBillingRules } from './billing-rules.ts';
import { createMetricsReading, createMetricsSending, type MetricsSending } from './metrics.ts';
import type { PartsOptions } from './parts-options.ts';
import { createPutBack, type PutBack } from './put-back.ts';
import { createExporters } from './subscribers.ts';

export interface LedgerParts extends PartsOptions {
  readonly subscription: SwitchingSubscription;
  readonly subscribers: Subscribers;
  readonly putBack: PutBack;
  readonly metricsSending: MetricsSending | null;
  readonly ingest: Ingest;
  /** Only workers take events in from Kafka. */
  readonly intake: Intake;
  readonly sealer: Sealer;
  readonly spoolReader: SpoolReader;
  readonly billing: BillingRules;
  readonly readHealth: Awaited<ReturnType<typeof createHealthReader>>;
  readonly readStanding: ReturnType<typeof createStandingReader>;
  readonly readMetrics: ReadMetrics;
  /** What changes, for who listens. */
  readonly live: Pick<LiveRouteOptions, 'follow' | 'readChangedIds'>;
  /**
   * Before a view is asked: waits until it is folded up to what is acknowledged, and no longer than
   * `settleMsMax`. Never rejects.
   */
  settleViews(): Promise<void>;
}

/** No request waits longer than this, for example for a rebuild. */
export const settleMsMax = 2_000;

export async function createParts(options: PartsOptions): Promise<LedgerParts> {
  const { config, store, cell, recorder, logger, version, now, random } = options;
  const { log, views, checkpoints, right, trouble, storeId } = store;
  const onError = logger.reporter('in the background');
  const wanted = wantedBy(config.budgets);
  const projections = createProjections(config.rules, wanted);
  const subscription = createSwitchingSubscription({
    create: () =>
      createFoldingSubscription({
        ...{ log, views, onError },
        projections: createProjections(config.rules, wanted),
      }),
    idle: createIdleSubscription({ log, views, projections }),
    onError,
  });
  const marks = createExportMarks(config.home, storeId, cell.number);
  const targets = noticeTargets(config, { version, now });
  const subscribers = createSubscribers({
    log,
    checkpoints,
    subscription,
    subscribers: [
      ...createExporters({
        ...{ telemetry: config.telemetry, storeId: cell.ledgerId, version },
        readFacts: createSessionFacts({
          views: cell.views,
          sessions: createSessions(config.rules),
        }),
        say: logger.note,
      }),
      ...targets.map((target) => createNotices(target, { now, random, say: logger.note })),
    ],
    onError,
    marks,
    onNotice: logger.note,
  });
  const putBack = createPutBack({ store, marks, note: logger.note });
  const metricsSending = createMetricsSending({ ...options, putBack });
  const unmeasured = createIngest({
    ...{ now, onAppended: () => subscription.wake() },
    log: cell.append === undefined ? log : { ...log, append: cell.append },
    ...(cell.ownership === undefined ? {} : { ownership: cell.ownership }),
  });
  const ingest = recorder === null ? unmeasured : measuredIngest(unmeasured, recorder);
  async function settleViews(): Promise<void> {
    // The subscription reports the failure; the answer then shows what was folded before.
    await within(settleMsMax, subscription.catchUp()).catch(() => undefined);
  }
  const intake = createIntake();
  const importsFile = join(config.home, homeFiles.imports);
  return {
    config,
    store,
    cell,
    recorder,
    logger,
    version,
    pageDirectory: options.pageDirectory,
    now,
    random,
    subscription,
    subscribers,
    putBack,
    metricsSending,
    ingest,
    intake,
    sealer: createSealer({
      log,
      views,
      projections,
      bareProjections: createProjections(noRules, wanted),
      subscription,
      ...(cell.lowestFloorMs === undefined ? {} : { lowestFloorMs: cell.lowestFloorMs }),
      isWriter: right.isHeld,
      now,
      random: randomUUID,
    }),
    billing: createBillingRules({
      config,
      subscription,
      isWriter: right.isHeld,
    }),
    spoolReader: createSpoolReader({
      spoolDirectory: config.spoolDirectory,
      owner: readOwner(),
      ingest,
      now,
      random,
      onError,
    }),
    readHealth: await createHealthReader({
      log,
      subscription,
      subscribers,
      metricsFailure: () => metricsSending?.failure() ?? null,
      right,
      trouble,
      version,
      storeId,
      startedAtMs: now(),
      storeSize: () => ({
        kind: config.store.driver.kind,
        bytes: config.store.driver.sizeOf(config.store.address),
      }),
      deadLetters: ingest.deadLetterStatus,
      intake: intake.warnings,
      notices: () => undelivered(targets, checkpoints),
    }),
    readStanding: createStandingReader({
      log,
      subscription,
      isWriter: right.isHeld,
      trouble,
      settleViews,
      importing: () => readImporting(importsFile, storeId, now()),
      leftOut: () => readLost(importsFile, storeId),
    }),
    readMetrics: createMetricsReading([{ ...options, putBack }]),
    live: {
      follow: createCommittedPositions({ subscription, isWriter: right.isHeld, onError }),
      readChangedIds: (span) => changedIds(log, span),
    },
    settleViews,
  };
}
