/**
 * What an event stream tells of its session: its answers, and whose it was, guessed from the header
 * that the host printed. Nothing where a session file has that id in its name: it tells more, and
 * it may be private.
 */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import { type Header, parseTimeMs } from '@pi-ledger/core/record/entry';
import { asCount, asString, type JsonObject } from '@pi-ledger/core/record/fields';
import { entryEventId } from '@pi-ledger/core/record/identity/event-id';
import { answeredIn, readSpend } from '@pi-ledger/core/record/spend';
import type { Guesser } from '../attribution.ts';

/** `message`: an answer of the header's session. */
export type RecordStreamed = (header: Header, message: JsonObject) => readonly EventDraft[];

interface Guessing {
  readonly guesser: Guesser;
  fileOf(sessionId: string): string | undefined;
}

export function createStreamedRecorder(
  { path, importer }: { readonly path: string; readonly importer: string },
  { guesser, fileOf }: Guessing,
): RecordStreamed {
  let isAttributed = false;

  /** A session's own file knows better. */
  function attribution(header: Header): readonly EventDraft[] {
    if (isAttributed || header.cwd === null) return [];
    isAttributed = true;
    const agent = { kind: 'main', name: null } as const;
    return [guesser.infer(header.id, { header, importer, parentSessionId: null, agent })];
  }

  return (header, message) =>
    (fileOf(header.id) ?? path) === path
      ? [...attribution(header), recordAnswer(header, message)]
      : [];
}

const type = 'pi.answer.streamed.v1';

function recordAnswer(header: Header, message: JsonObject): EventDraft<typeof type> {
  const time = parseTime(message.timestamp) ?? new Date(header.timeMs).toISOString();
  const answered = answeredIn(message);
  const dated = { id: header.id, timestamp: time, timeMs: Date.parse(time) };
  const identity = { responseId: asString(message.responseId), usage: message.usage };
  return {
    id: entryEventId(type, dated, identity),
    type,
    time,
    subject: header.id,
    data: { printed: readSpend(message.usage, answered) },
  };
}

/** Returns null for what is no time of an event. */
function parseTime(timestamp: unknown): string | null {
  const timeMs = asCount(timestamp);
  if (timeMs === null || timeMs > dateMsMax) return null;
  const time = new Date(timeMs).toISOString();
  return parseTimeMs(time) === null ? null : time;
}

/** The latest time of JavaScript. */
const dateMsMax = 8.64e15;
