/** What of the views one who asks may see: every query that answers for somebody goes by this. */
import { limitViews } from '../auth/limited-views.ts';
import type { Condition, Views } from '../views/views.ts';

export interface VisibleViews {
  /** As if there were nothing else. */
  readonly views: Views;
  /**
   * For questions that look into documents by themselves, and cell by cell: they ask all views, and
   * add these to what they look for.
   */
  readonly where: readonly Condition[];
}

/** `where`: the limits of who asks, as `readConditions` gives them; none: all may be seen. */
export function visibleViews(views: Views, where: readonly Condition[] = []): VisibleViews {
  return { views: limitViews(views, where), where };
}
