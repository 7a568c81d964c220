import type { Projection } from '../projections/projection.ts';
import type { SessionState } from '../projections/session/document.ts';
import type { ViewsReader } from '../views/views.ts';

/** The views to query, and the projection they are folded with. */
export interface UsageViews {
  readonly views: ViewsReader;
  /** The projection with the rules that the views are folded with. */
  readonly sessions: Projection<SessionState>;
}
