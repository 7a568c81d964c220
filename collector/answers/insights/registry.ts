/** All kinds of insights; a new one is registered here. */
import type { InsightKind } from './finding.ts';
import { cacheMisses } from './kinds/cache-misses.ts';
import { cheaperModels } from './kinds/cheaper-models.ts';
import { compactionsThatDidNotPay, readAgain } from './kinds/compactions.ts';
import { failedAttempts, unreportedAttempts } from './kinds/failed-attempts.ts';
import { largeResults } from './kinds/large-results.ts';
import { modelSpendsMore, projectSpendsMore } from './kinds/spends-more.ts';
import { unpricedModels } from './kinds/unpriced-models.ts';
import { unusualSessions } from './kinds/unusual-sessions.ts';

export const insightKinds: readonly InsightKind[] = [
  projectSpendsMore,
  modelSpendsMore,
  unusualSessions,
  cacheMisses,
  compactionsThatDidNotPay,
  readAgain,
  largeResults,
  failedAttempts,
  unreportedAttempts,
  cheaperModels,
  unpricedModels,
];
