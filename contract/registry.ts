/** All event types. A new type is registered here with one line. */
import type { Static } from 'typebox';
import type { Envelope } from './envelope.ts';
import { attemptEstimated } from './events/attempt-estimated.ts';
import { branchSummarized } from './events/branch-summarized.ts';
import { compactionCompleted } from './events/compaction-completed.ts';
import { compactionFailed } from './events/compaction-failed.ts';
import { compactionTimed } from './events/compaction-timed.ts';
import { contextEdited } from './events/context-edited.ts';
import { contextSampled } from './events/context-sampled.ts';
import { entryMoved } from './events/entry-moved.ts';
import { historySealed } from './events/history-sealed.ts';
import { humanWaited } from './events/human-waited.ts';
import { inputReceived } from './events/input-received.ts';
import { messageAppended } from './events/message-appended.ts';
import { modelChanged } from './events/model-changed.ts';
import { producerReported } from './events/producer-reported.ts';
import { promptSubmitted } from './events/prompt-submitted.ts';
import { responseReceived } from './events/response-received.ts';
import { retryEnded } from './events/retry-ended.ts';
import { retryScheduled } from './events/retry-scheduled.ts';
import { runCompleted } from './events/run-completed.ts';
import { sessionAttributed } from './events/session-attributed.ts';
import { sessionCopied } from './events/session-copied.ts';
import { sessionEnded } from './events/session-ended.ts';
import { sessionStarted } from './events/session-started.ts';
import { subagentAccounted } from './events/subagent-accounted.ts';
import { subagentClaimed } from './events/subagent-claimed.ts';
import { toolCompleted } from './events/tool-completed.ts';
import { toolTimed } from './events/tool-timed.ts';
import { turnCompleted } from './events/turn-completed.ts';
import { turnTimed } from './events/turn-timed.ts';
import { usageRecorded } from './events/usage-recorded.ts';

export const eventTypes = [
  sessionStarted,
  sessionAttributed,
  sessionEnded,
  modelChanged,
  promptSubmitted,
  messageAppended,
  turnCompleted,
  turnTimed,
  toolCompleted,
  toolTimed,
  inputReceived,
  humanWaited,
  responseReceived,
  retryScheduled,
  retryEnded,
  contextSampled,
  contextEdited,
  runCompleted,
  compactionCompleted,
  compactionTimed,
  compactionFailed,
  branchSummarized,
  usageRecorded,
  subagentClaimed,
  subagentAccounted,
  sessionCopied,
  entryMoved,
  attemptEstimated,
  producerReported,
  historySealed,
] as const;

type EventTypes = (typeof eventTypes)[number];

/** `pi.turn.completed.v1` and its siblings. */
export type EventTypeName = EventTypes['type'];

/** The data of one event type. */
export type EventData<Name extends EventTypeName> = Static<
  Extract<EventTypes, { type: Name }>['data']
>;

/** An event of one type, or of any. */
export type LedgerEvent<Name extends EventTypeName = EventTypeName> = {
  [N in Name]: Omit<Envelope, 'type' | 'data'> & { type: N; data: EventData<N> };
}[Name];
