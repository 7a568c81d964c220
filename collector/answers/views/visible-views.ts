/** The views as a caller may see them: every query on a caller's behalf uses them. */
import { limitViews } from '../../auth/limited-views.ts';
import type { Condition, ViewsReader } from '../../views/views.ts';
import type { UsageViews } from './usage-views.ts';

export interface VisibleViews extends UsageViews {
  /** Views limited to what the caller may see. */
  readonly views: ViewsReader;
  /**
   * For queries that read documents themselves, cell by cell: they query all views with these
   * conditions added.
   */
  readonly where: readonly Condition[];
}

/**
 * `where`: the caller's limits, as `readConditions` gives them; none means everything is visible.
 */
export function visibleViews(
  { views, sessions }: UsageViews,
  where: readonly Condition[] = [],
): VisibleViews {
  return { views: limitViews(views, where), sessions, where };
}
