/** What a view is to the page. */
import type { ComponentType } from 'preact';
import type { Ask } from '../api/ask.ts';
import type { Place } from '../state/place.ts';

/** The moment that a view is drawn for. */
export interface Today {
  /** The day on the reader's calendar, `2026-11-22`. */
  readonly day: string;
}

export interface ViewProps {
  readonly place: Place;
  readonly today: Today;
}

export type ViewComponent = ComponentType<ViewProps>;

/** What a view asks before anybody touches it: a function of the place alone. */
export type AsksOfView = (place: Place, today: Today) => readonly Ask<unknown>[];
