/** The events that a projection cannot fold, between two commits. */
import { errorText } from '@pi-ledger/core/text/error-text';
import type { StoredEvent } from '../log/stored-event.ts';
import type { SetAside } from '../views/views.ts';

/** An event that was set aside for a view. */
export class SetAsideError extends Error {
  readonly projection: string;
  readonly position: number;

  constructor(projection: string, { position, eventId, reason }: SetAside, cause: unknown) {
    super(`The view ${projection} sets event ${eventId} at position ${position} aside: ${reason}`, {
      cause,
    });
    this.name = 'SetAsideError';
    this.projection = projection;
    this.position = position;
  }
}

/** A process reports so many per view; all are kept with the view. */
export const reportedMax = 100;
const reasonCharsMax = 300;

export interface SetAsideEvents {
  add(stored: StoredEvent, cause: unknown): void;
  all(): readonly SetAside[];
  clear(): void;
}

/** An event is reported once, however often it is folded. */
export function createSetAsideEvents(
  projection: string,
  onError: (error: unknown) => void,
): SetAsideEvents {
  let events: SetAside[] = [];
  const reported = new Set<number>();
  return {
    add({ position, event }, cause) {
      const message = errorText(cause);
      const reason = message.slice(0, reasonCharsMax);
      const added: SetAside = { position, eventId: String(event.id), reason };
      events.push(added);
      if (reported.size >= reportedMax || reported.has(position)) return;
      reported.add(position);
      onError(new SetAsideError(projection, added, cause));
    },
    all: () => events,
    clear() {
      events = [];
    },
  };
}
