/** What a view is to the page. */
import type { ComponentType } from 'preact';
import type { Ask } from '../api/ask.ts';
import type { Place } from '../state/place.ts';

/** The moment that a view is drawn for. */
export interface Today {
  /** The day on the reader's calendar, or on that of the zone that the URL names, `2026-11-22`. */
  readonly day: string;
  /** The latest day that spend may have: later than `day` where one has begun elsewhere. */
  readonly latest?: string;
  /** The first day that the ledger has; absent: not known, or nobody needs it. */
  readonly first?: string;
  /** How far it has come: hours that are over, 0 to 23. Absent: all of it. */
  readonly reached?: { readonly hour: number; readonly timeZone: string };
}

export interface ViewProps {
  readonly place: Place;
  readonly today: Today;
}

export type ViewComponent = ComponentType<ViewProps>;

/** What a view asks before anybody touches it: a function of the place alone. */
export type AsksOfView = (place: Place, today: Today) => readonly Ask<unknown>[];
