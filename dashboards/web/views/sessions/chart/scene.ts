import type { Content } from './content.ts';
import type { TimeScale } from './time-scale.ts';

/** What each of the charts is drawn from, and where. */
export interface Scene extends Content {
  readonly scale: TimeScale;
  /** The marks have this width, right of the labels, in px. */
  readonly width: number;
  readonly isNarrow: boolean;
}
