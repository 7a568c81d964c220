/**
 * Recognizes files of JSON lines that packages keep among the sessions and that are none: records
 * of a subagent's run, and the event stream of a host (pi's `--mode json`). They are passed over.
 *
 * An event stream that names its session is evidence of that session's answers, which no file holds
 * if the session was not saved. Records of a run name no session: nobody can tell whether their
 * answers are counted, so they prove nothing. Pure.
 */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import type { Header } from '@pi-ledger/core/record/entry';
import { asObject, asString, asText, type JsonObject } from '@pi-ledger/core/record/fields';
import { isReported } from '@pi-ledger/core/record/spend';
import type { StreamedAnswers } from '../proofs.ts';
import type { RecordStreamed } from './streamed-answers.ts';

export interface OtherFile {
  take(value: unknown): readonly EventDraft[];
  /** It is null when the file proves nothing. */
  readonly streamed: StreamedAnswers | null;
}

/**
 * Returns null for a line of a session, which is not taken. `header`: the file's, if it came before
 * this line.
 */
export function recognizeOther(
  value: unknown,
  header: Header | null,
  record: RecordStreamed,
): OtherFile | null {
  const isStream = isHostEvent(value);
  if (!isStream && !(header === null && isRunRecord(value))) return null;
  let answers = 0;
  return {
    take(line) {
      const answer = isStream ? answerIn(line) : null;
      if (answer === null) return [];
      answers += 1;
      return header === null ? [] : record(header, answer);
    },
    get streamed() {
      return header === null || answers === 0 ? null : { sessionId: header.id, answers };
    },
  };
}

/** Each line of a run's records names the run. An entry has a type and a time. */
function isRunRecord(value: unknown): boolean {
  const { runId, recordType, type, timestamp } = asObject(value) ?? {};
  if (asText(runId) === null) return false;
  return asText(recordType) !== null
    ? asText(type) === null
    : asText(type) !== null && asString(timestamp) === null;
}

/** Unlike an entry, an event has neither an id nor a time of its own. */
function isHostEvent(value: unknown): boolean {
  const { type, id, timestamp } = asObject(value) ?? {};
  return id === undefined && timestamp === undefined && hostEvents.test(asString(type) ?? '');
}

const hostEvents = /^(?:agent|turn|message|tool_execution)_(?:start|update|end|settled)$/;

/** One that says what was spent. */
function answerIn(value: unknown): JsonObject | null {
  const { type, message } = asObject(value) ?? {};
  const answer = asObject(message);
  if (type !== 'message_end' || answer?.role !== 'assistant') return null;
  return isReported(asObject(answer.usage) ?? {}) ? answer : null;
}
