import type { Benchmark } from './benchmark.ts';
import { brokerRestart } from './broker-restart.ts';
import { catchUp } from './catch-up.ts';
import { context } from './context.ts';
import { exporting } from './export.ts';
import { growth } from './growth.ts';
import { handler } from './handler.ts';
import { hosts } from './hosts.ts';
import { idle } from './idle.ts';
import { importing } from './import.ts';
import { ingest } from './ingest.ts';
import { metrics } from './metrics.ts';
import { mongodb } from './mongodb.ts';
import { organisation } from './organisation.ts';
import { overview } from './overview.ts';
import { packages } from './packages.ts';
import { page } from './page.ts';
import { rebuild } from './rebuild.ts';
import { report } from './report.ts';
import { ship } from './ship.ts';
import { soak } from './soak.ts';
import { spans } from './spans.ts';
import { steady } from './steady.ts';
import { stretches } from './stretches.ts';
import { workers } from './workers.ts';

/** In order of execution. */
export const benchmarks: readonly Benchmark[] = [
  handler,
  hosts,
  ingest,
  exporting,
  importing,
  rebuild,
  report,
  context,
  idle,
  metrics,
  stretches,
  mongodb,
  overview,
  packages,
  page,
  ship,
  soak,
  spans,
  growth,
  steady,
  organisation,
  brokerRestart,
  catchUp,
  workers,
];
