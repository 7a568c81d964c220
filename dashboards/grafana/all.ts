/** All dashboards, in the order of their pages. */
import type { Page } from './kit/dashboard.ts';
import { overview } from './pages/overview.ts';

export const pages: readonly Page[] = [overview];
