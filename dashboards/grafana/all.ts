/** All dashboards, in the order of their pages. */
import type { Page } from './kit/dashboard.ts';
import { compactions } from './pages/compactions.ts';
import { context } from './pages/context.ts';
import { health } from './pages/health.ts';
import { models } from './pages/models.ts';
import { overview } from './pages/overview.ts';
import { project } from './pages/project.ts';

export const pages: readonly Page[] = [overview, project, context, compactions, models, health];
