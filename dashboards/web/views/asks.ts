/** What each view asks first. */

import { budgetsAsks } from './budgets/asks.ts';
import { compactionsAsks } from './compactions/asks.ts';
import { healthAsks } from './health/asks.ts';
import { insightsAsks } from './insights/asks.ts';
import { modelsAsks } from './models/asks.ts';
import type { ViewName } from './names.ts';
import { overviewAsks } from './overview/asks.ts';
import { projectsAsks } from './projects/asks.ts';
import { sessionsAsks } from './sessions/asks.ts';
import type { AsksOfView } from './view.ts';

export const asksOfViews: Readonly<Record<ViewName, AsksOfView>> = {
  overview: overviewAsks,
  projects: projectsAsks,
  sessions: sessionsAsks,
  compactions: compactionsAsks,
  models: modelsAsks,
  budgets: budgetsAsks,
  health: healthAsks,
  insights: insightsAsks,
  nowhere: () => [],
};
