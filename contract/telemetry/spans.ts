/**
 * The spans that leave the ledger: names, kinds, attributes. The exporter and the documentation
 * read this table, so a name that the conventions change is one line.
 *
 * `gen_ai.*` are those of OpenTelemetry's GenAI conventions
 * (open-telemetry/semantic-conventions-genai, as of November 2026); `pi.*` are ours, where there is
 * no convention. No attribute holds a prompt, an answer, a command or a path.
 */

export const spanAttributeMeanings = {
  'gen_ai.operation.name': '`invoke_agent`, `chat` or `execute_tool`',
  'gen_ai.provider.name': "the provider, by the conventions' names where they have one",
  'gen_ai.conversation.id': "the session's id",
  'gen_ai.conversation.compacted': '`true` from the compaction of the run on; else absent',
  'gen_ai.agent.name': "the agent's name; absent for the main agent without one",
  'gen_ai.request.model': 'the requested model',
  'gen_ai.request.reasoning.level': 'the thinking level',
  'gen_ai.response.model': 'the model that answered, if the host says so',
  'gen_ai.response.id': "the provider's id of the answer",
  'gen_ai.response.finish_reasons': 'why the answer ended, in the words of the host',
  'gen_ai.response.time_to_first_chunk':
    "seconds from the request to the first token (omp) or the start of the answer's stream (pi)",
  'gen_ai.usage.input_tokens': 'with what was read from and written to the cache',
  'gen_ai.usage.output_tokens': 'with reasoning',
  'gen_ai.usage.cache_read.input_tokens': 'part of the input tokens',
  'gen_ai.usage.cache_write.input_tokens': 'part of the input tokens',
  'gen_ai.usage.reasoning.output_tokens': 'part of the output tokens',
  'gen_ai.tool.name': 'the tool',
  'gen_ai.tool.type': 'always `function`',
  'gen_ai.tool.call.id': "the call's id",
  'error.type': 'the HTTP status, or `unknown`',
  'pi.usage.cache_write_1h.input_tokens':
    'part of the tokens written to the cache: kept for an hour, at a price of their own',
  'pi.cost.usd': 'what it cost; absent where there is no price, or nothing was reported',
  'pi.cost.source': '`provider`, `catalog`, `unpriced` or `unreported`',
  'pi.billing': '`metered`, `subscription` or `unknown`: never add these up',
  'pi.spend.kind': '`turn`, `tool`, `compaction`, `branch_summary`, `cache_warm`, ...',
  'pi.spend.purpose': "omp's purpose of a side call",
  'pi.claimed.cost.usd':
    "what the tool's result says that others spent for it, who may have told it themselves",
  'pi.project': 'the project',
  'pi.host.name': '`pi` or `omp`',
  'pi.host.version': "the host's version",
  'pi.session.parent_id': 'the session that this one came from: of its subagent, or of its fork',
  'pi.outcome': 'of a run: `completed`, `aborted`, `failed`, `length`; of a compaction: `failed`',
  'pi.run.closed_by':
    'what ended the run for us: `run_completed`, `next_prompt`, `session_end`, `silence`, ' +
    '`evicted` or `end_of_export`',
  'pi.duration.source':
    'absent where the host measured the duration; `clock`: the times of request and entry; ' +
    '`unknown`: the span has no length',
  'pi.compaction.trigger': '`manual`, `threshold`, `overflow`, ...',
  'pi.compaction.tokens_before': 'tokens in the window before the compaction',
} as const;

export type SpanAttributeName = keyof typeof spanAttributeMeanings;

export interface SpanDefinition {
  /** A name in braces stands for a value. */
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly description: string;
  /** Always there. */
  readonly required: readonly SpanAttributeName[];
  /** Where the host says so. */
  readonly optional: readonly SpanAttributeName[];
}

const session = ['gen_ai.operation.name', 'gen_ai.conversation.id'] as const;
const ofSession = [
  'gen_ai.agent.name',
  'pi.project',
  'pi.host.name',
  'pi.host.version',
] as const satisfies readonly SpanAttributeName[];
const spent = [
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.response.model',
  'gen_ai.response.id',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.cache_write.input_tokens',
  'gen_ai.usage.reasoning.output_tokens',
  'pi.usage.cache_write_1h.input_tokens',
  'pi.cost.usd',
] as const satisfies readonly SpanAttributeName[];

export const spans = {
  run: {
    name: 'invoke_agent {gen_ai.agent.name}',
    kind: 'internal',
    description:
      'One run of an agent, from a prompt on. Retries are its events. It has no tokens and no ' +
      'cost: those are on its children.',
    required: [...session, 'pi.run.closed_by'],
    optional: [
      ...ofSession,
      'gen_ai.conversation.compacted',
      'pi.session.parent_id',
      'pi.outcome',
      'error.type',
    ],
  },
  chat: {
    name: 'chat {gen_ai.request.model}',
    kind: 'client',
    description: 'One answer of a model, or an attempt that failed.',
    required: [...session, 'pi.spend.kind', 'pi.cost.source', 'pi.billing'],
    optional: [
      ...ofSession,
      ...spent,
      'gen_ai.request.reasoning.level',
      'gen_ai.response.finish_reasons',
      'gen_ai.response.time_to_first_chunk',
      'gen_ai.conversation.compacted',
      'pi.duration.source',
      'error.type',
    ],
  },
  tool: {
    name: 'execute_tool {gen_ai.tool.name}',
    kind: 'internal',
    description: 'One call of a tool, below the answer that made it.',
    required: [...session, 'gen_ai.tool.name', 'gen_ai.tool.type'],
    optional: [
      ...ofSession,
      ...spent,
      'gen_ai.tool.call.id',
      'pi.spend.kind',
      'pi.cost.source',
      'pi.billing',
      'pi.claimed.cost.usd',
      'pi.duration.source',
      'error.type',
    ],
  },
  side: {
    name: '{pi.spend.kind} {gen_ai.request.model}',
    kind: 'client',
    description:
      'A compaction, the summary of a branch, a side call or another record with spend of its own.',
    required: [...session, 'pi.spend.kind', 'pi.cost.source'],
    optional: [
      ...ofSession,
      ...spent,
      'pi.billing',
      'pi.spend.purpose',
      'gen_ai.conversation.compacted',
      'pi.compaction.trigger',
      'pi.compaction.tokens_before',
      'pi.outcome',
      'pi.duration.source',
      'error.type',
    ],
  },
} as const satisfies Readonly<Record<string, SpanDefinition>>;

export type SpanKey = keyof typeof spans;
