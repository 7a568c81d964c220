/**
 * The log records that leave the ledger: names, severities, attributes. The exporter and the
 * documentation read this table. No record has a body, and none holds content: no prompt, summary,
 * instruction, command or path.
 */

export const logAttributeMeanings = {
  'log.record.uid': "the event's id: the same record has it again",
  'gen_ai.conversation.id': "the session's id",
  'gen_ai.agent.name': "the agent's name; absent for the main agent without one",
  'gen_ai.provider.name': "the provider, by the conventions' names where they have one",
  'gen_ai.request.model': 'the requested model',
  'gen_ai.usage.input_tokens': 'with what was read from and written to the cache',
  'gen_ai.usage.output_tokens': 'with reasoning',
  'error.type': 'the HTTP status, or `unknown`',
  'pi.project': 'the project',
  'pi.host.name': '`pi` or `omp`',
  'pi.host.version': "the host's version",
  'pi.outcome': '`completed`, `failed` or `aborted`',
  'pi.compaction.trigger':
    '`manual`, `threshold`, `overflow`, ...; of a completed one only where the host says so at ' +
    'the same time',
  'pi.compaction.tokens_before': 'tokens in the window before the compaction',
  'pi.compaction.tokens_after_estimated': "the host's own estimate",
  'pi.compaction.duration': 'seconds',
  'pi.compaction.from_extension': '`true`: an extension supplied the summary',
  'pi.retry.attempts': 'how often the host tried',
  'pi.producer': 'the process that records (`/producers/<uuid>`)',
  'pi.producer.version': 'version of the recording extension',
  'pi.dropped.spool_full': 'newly dropped: the limit of the spool was reached',
  'pi.dropped.spool_unwritable': 'newly dropped: the file system refused',
  'pi.dropped.event_too_large': 'newly dropped: larger than the limit',
  'pi.dropped.record_failed': 'newly dropped: a payload could not be read',
  'pi.budget.name': "the budget's name",
  'pi.budget.state': 'that it is in now: `ok`, `forecast`, `warning` or `over`',
  'pi.budget.state.previous': 'that it was in before',
  'pi.budget.used': 'what is used, in `pi.budget.unit`; of one kind of billing',
  'pi.budget.limit': 'its limit, in `pi.budget.unit`',
  'pi.budget.unit': '`metered dollars`, `list-price dollars`, `tokens` or `percent`',
  'pi.budget.forecast':
    'with `forecast`: what is expected at the end of the period, in `pi.budget.unit`',
  'pi.budget.used.is_at_least': '`true`: records without a known amount are left out',
  'pi.budget.is_first': '`true`: for the first time in its period in this state',
} as const;

export type LogAttributeName = keyof typeof logAttributeMeanings;

export interface LogDefinition {
  /** The record's event name. */
  readonly name: string;
  readonly severity: 'info' | 'warn' | 'error';
  readonly description: string;
  readonly attributes: readonly LogAttributeName[];
}

const ofSession = [
  'log.record.uid',
  'gen_ai.conversation.id',
  'gen_ai.agent.name',
  'pi.project',
  'pi.host.name',
  'pi.host.version',
] as const satisfies readonly LogAttributeName[];
const ofSpend = [
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
] as const satisfies readonly LogAttributeName[];
const compaction = [
  'pi.compaction.trigger',
  'pi.compaction.duration',
  'pi.compaction.from_extension',
] as const satisfies readonly LogAttributeName[];

export const logs = {
  compactionCompleted: {
    name: 'pi.compaction.completed',
    severity: 'info',
    description: 'The window was compacted.',
    attributes: [
      ...ofSession,
      ...ofSpend,
      'pi.outcome',
      ...compaction,
      'pi.compaction.tokens_before',
      'pi.compaction.tokens_after_estimated',
    ],
  },
  compactionFailed: {
    name: 'pi.compaction.failed',
    severity: 'warn',
    description: 'A compaction failed or was aborted; the window is as full as before.',
    attributes: [...ofSession, 'pi.outcome', ...compaction],
  },
  attemptFailed: {
    name: 'pi.attempt.failed',
    severity: 'error',
    description: 'A request to a model failed. The host may retry it.',
    attributes: [...ofSession, ...ofSpend, 'pi.outcome', 'error.type'],
  },
  attemptAborted: {
    name: 'pi.attempt.aborted',
    severity: 'info',
    description: 'A request to a model was aborted.',
    attributes: [...ofSession, ...ofSpend, 'pi.outcome'],
  },
  retryGivenUp: {
    name: 'pi.retry.given_up',
    severity: 'error',
    description: 'The host gave up after several attempts.',
    attributes: [...ofSession, 'gen_ai.provider.name', 'gen_ai.request.model', 'pi.retry.attempts'],
  },
  producerDropped: {
    name: 'pi.producer.dropped',
    severity: 'error',
    description: 'A producer could not record events: they are in no figure.',
    attributes: [
      'log.record.uid',
      'pi.producer',
      'pi.producer.version',
      'pi.dropped.spool_full',
      'pi.dropped.spool_unwritable',
      'pi.dropped.event_too_large',
      'pi.dropped.record_failed',
    ],
  },
  budgetCrossed: {
    name: 'pi.budget.crossed',
    severity: 'warn',
    description:
      'A budget came into another state, up or down; the time is when the collector saw it.',
    attributes: [
      'log.record.uid',
      'pi.project',
      'gen_ai.request.model',
      'pi.budget.name',
      'pi.budget.state',
      'pi.budget.state.previous',
      'pi.budget.used',
      'pi.budget.limit',
      'pi.budget.unit',
      'pi.budget.forecast',
      'pi.budget.used.is_at_least',
      'pi.budget.is_first',
    ],
  },
} as const satisfies Readonly<Record<string, LogDefinition>>;

export type LogKey = keyof typeof logs;
