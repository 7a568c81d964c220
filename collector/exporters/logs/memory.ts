/** What the exporter of log records remembers between batches. Bounded by its parts. */
import type { StoredEvent } from '../../log/stored-event.ts';
import type { RunPlace } from '../traces/draft.ts';
import { type Facts, foldTraces, isTraced } from '../traces/fold.ts';
import { boundText, passTime } from '../traces/memory.ts';
import type { TraceState } from '../traces/state.ts';
import { decodeTraceState, encodeTraceState } from '../traces/state-text.ts';
import type { EmitSpan } from '../traces/timing.ts';
import { type LogDrops, readDrops } from './drops.ts';

export interface LogMemory {
  readonly drops: LogDrops;
  readonly places: Places;
  /** Undefined: as it was. */
  written(): string | undefined;
}

/** `position`: everything up to it is in `text`, which `written` made. */
export function readMemory(text: string | null, position: number): LogMemory {
  const known: { readonly drops?: unknown; readonly places?: unknown } =
    text === null ? {} : JSON.parse(text);
  const texts = {
    drops: JSON.stringify(known.drops ?? null),
    places: JSON.stringify(known.places ?? null),
  };
  const drops = readDrops(known.drops);
  const places = readPlaces(texts.places, position);
  return {
    drops,
    places,
    written() {
      const changed = { drops: drops.written(), places: places.written() };
      if (changed.drops === undefined && changed.places === undefined) return undefined;
      texts.drops = changed.drops ?? texts.drops;
      texts.places = changed.places ?? texts.places;
      return `{"drops":${texts.drops},"places":${texts.places}}`;
    },
  };
}

// Where the spans of subagents are: their traces are those of the runs that started them, which
// only the log's order tells. So the fold of traces is followed here, too, and its spans are left
// out.

interface Places {
  /** Sessions of events that facts are to be read of, before the events are followed. */
  unknownIn(events: readonly StoredEvent[]): readonly string[];
  follow(event: StoredEvent, facts: Facts): void;
  /** The run that this subagent works for; null: it is none, or the run is not known. */
  under(sessionId: string): RunPlace | null;
  /** Who is silent by now is remembered by less. */
  rest(nowMs: number): void;
  /** Undefined: as it was. */
  written(): string | undefined;
}

/** Beside what drops take, below what a checkpoint holds. */
const textBytesMax = 700_000;

const notSent: EmitSpan = () => undefined;

/** `position`: everything up to it is in `text`; `null` is of nobody. */
function readPlaces(text: string, position: number): Places {
  const state = decodeTraceState(text === 'null' ? null : text, position);
  return {
    unknownIn: (events) =>
      events
        .filter(({ event, damage }) => damage === undefined && isTraced(event))
        .map(({ event }) => event.subject)
        .filter((id) => state.sessions.get(id)?.isPlaced !== true),
    follow: (event, facts) => foldTraces(state, [event], facts, notSent),
    under: (sessionId) => state.sessions.get(sessionId)?.under ?? null,
    rest: (nowMs) => passTime(state, nowMs, notSent),
    written() {
      if (!state.isChanged) return undefined;
      leaveOutSpans(state);
      boundText(state, notSent, textBytesMax);
      return encodeTraceState(state);
    },
  };
}

/** What only spans need: which runs there were, and where sessions are, stays. */
function leaveOutSpans({ sessions }: TraceState): void {
  for (const session of sessions.values()) {
    session.run = null;
    session.forkOf = null;
    for (const list of [session.answers, session.timings, session.waiting]) list.length = 0;
  }
}
