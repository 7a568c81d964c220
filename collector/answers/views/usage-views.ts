import type { SpendDimension } from '@pi-ledger/contract/spend-shape';
import type { Projection, Rollup } from '../../projections/projection.ts';
import type { SessionState } from '../../projections/session/document.ts';
import type { ViewsReader } from '../../views/views.ts';

/** The views to query, and the projection they are folded with. */
export interface UsageViews {
  readonly views: ViewsReader;
  /** The projection with the rules that the views are folded with. */
  readonly sessions: Projection<SessionState>;
  /** This rollup of the projection holds what its sessions spent. Default: `usage`. */
  readonly rollup?: Rollup<SpendDimension>;
}
