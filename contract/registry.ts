/** All event types. A new type is registered here with one line. */
import type { Static } from 'typebox';
import type { Envelope } from './envelope.ts';
import { attemptEstimated } from './events/entry/attempt-estimated.ts';
import { branchSummarized } from './events/entry/branch-summarized.ts';
import { compactionCompleted } from './events/entry/compaction-completed.ts';
import { contextEdited } from './events/entry/context-edited.ts';
import { messageAppended } from './events/entry/message-appended.ts';
import { modelChanged } from './events/entry/model-changed.ts';
import { promptSubmitted } from './events/entry/prompt-submitted.ts';
import { recordingSwitched } from './events/entry/recording-switched.ts';
import { sessionCopied } from './events/entry/session-copied.ts';
import { sessionStarted } from './events/entry/session-started.ts';
import { subagentAccounted } from './events/entry/subagent-accounted.ts';
import { subagentClaimed } from './events/entry/subagent-claimed.ts';
import { subagentLinked } from './events/entry/subagent-linked.ts';
import { toolCompleted } from './events/entry/tool-completed.ts';
import { turnCompleted } from './events/entry/turn-completed.ts';
import { usageRecorded } from './events/entry/usage-recorded.ts';
import { answerStreamed } from './events/live/answer-streamed.ts';
import { budgetCrossed } from './events/live/budget-crossed.ts';
import { budgetDefined } from './events/live/budget-defined.ts';
import { compactionFailed } from './events/live/compaction-failed.ts';
import { compactionTimed } from './events/live/compaction-timed.ts';
import { contextSampled } from './events/live/context-sampled.ts';
import { entryMoved } from './events/live/entry-moved.ts';
import { headObserved } from './events/live/head-observed.ts';
import { historySealed } from './events/live/history-sealed.ts';
import { humanWaited } from './events/live/human-waited.ts';
import { inputReceived } from './events/live/input-received.ts';
import { producerReported } from './events/live/producer-reported.ts';
import { recordsLabelled } from './events/live/records-labelled.ts';
import { recordsWithdrawn } from './events/live/records-withdrawn.ts';
import { requestsObserved } from './events/live/requests-observed.ts';
import { responseReceived } from './events/live/response-received.ts';
import { retryEnded } from './events/live/retry-ended.ts';
import { retryScheduled } from './events/live/retry-scheduled.ts';
import { runCompleted } from './events/live/run-completed.ts';
import { sessionAttributed } from './events/live/session-attributed.ts';
import { sessionEnded } from './events/live/session-ended.ts';
import { sessionLabelled } from './events/live/session-labelled.ts';
import { toolTimed } from './events/live/tool-timed.ts';
import { turnTimed } from './events/live/turn-timed.ts';

export const eventTypes = [
  sessionStarted,
  sessionAttributed,
  sessionEnded,
  sessionLabelled,
  recordsLabelled,
  recordsWithdrawn,
  headObserved,
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
  requestsObserved,
  answerStreamed,
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
  subagentLinked,
  sessionCopied,
  recordingSwitched,
  entryMoved,
  attemptEstimated,
  producerReported,
  historySealed,
  budgetDefined,
  budgetCrossed,
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
