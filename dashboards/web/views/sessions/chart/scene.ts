import type { Slot } from './slots.ts';
import type { Span } from './spans.ts';
import type { TimeScale } from './time-scale.ts';

/** What each of the charts is drawn from. */
export interface Scene {
  readonly slots: readonly Slot[];
  readonly spans: readonly Span[];
  readonly scale: TimeScale;
  /** Of the marks, right of the labels, in px. */
  readonly width: number;
  readonly isNarrow: boolean;
}
