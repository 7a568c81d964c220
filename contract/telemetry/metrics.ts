/**
 * The metrics that leave the ledger: names, units, attributes. Exporters, `/v1/totals`, dashboards
 * and docs/observability.md read this table, so a name that the conventions change is one line.
 *
 * `gen_ai.*` are those of OpenTelemetry's GenAI conventions
 * (open-telemetry/semantic-conventions-genai, as of November 2026); `pi.*` are ours, where there is
 * no convention. All are cumulative but gauges.
 */

/** Attributes of points, in the order in which they are written. */
export const attributeMeanings = {
  'gen_ai.operation.name': '`chat` for answers of a model',
  'gen_ai.provider.name': "the provider, by the conventions' names where they have one",
  'gen_ai.request.model': 'the requested model',
  'gen_ai.token.modality': 'always `unknown`: hosts do not say',
  'gen_ai.token.type': 'of the previous conventions: `input` or `output`',
  'gen_ai.tool.name': 'the tool',
  'gen_ai.agent.name': "the agent's name; absent for the main agent without one",
  'error.type': 'the HTTP status, or `unknown`',
  'pi.project': 'the project',
  'pi.host.name': '`pi` or `omp`',
  'pi.billing': '`metered`, `subscription` or `unknown`: never add these up',
  'pi.spend.kind': 'what it was spent on: `turn`, `tool`, `compaction`, `branch_summary`, ...',
  'pi.cost.source': '`provider`, `catalog`, `unpriced`, or `unreported`',
  'pi.outcome': 'how it ended',
  'pi.compaction.trigger': '`manual`, `threshold`, `overflow`, `idle`, ..., or `unknown`',
  'pi.budget.name': "the budget's name",
  'pi.user': 'the user, with the setting `metricUsers`',
  'otel.metric.overflow': '`true`: the sum of the series that the limit hides',
} as const;

export type AttributeName = keyof typeof attributeMeanings;

export interface MetricDefinition {
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  /** A UCUM unit, as OpenTelemetry writes it. */
  readonly unit: string;
  readonly description: string;
  readonly attributes: readonly AttributeName[];
  /**
   * Amounts are integers of this decimal fraction of the unit: 9 for nano-dollars of USD. Sums are
   * exact until they are written down.
   */
  readonly digits: number;
}

const spend = [
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'pi.project',
  'pi.host.name',
  'pi.billing',
  'pi.spend.kind',
  'pi.user',
] as const;
const tokens = ['gen_ai.token.modality', ...spend] as const;
const answer = [
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'pi.project',
  'pi.host.name',
] as const;

function counter(
  name: string,
  unit: string,
  attributes: readonly AttributeName[],
  description: string,
  digits = 0,
): MetricDefinition {
  return { name, kind: 'counter', unit, description, attributes, digits };
}

/** Durations: seconds, summed in microseconds. */
function duration(
  name: string,
  attributes: readonly AttributeName[],
  description: string,
): MetricDefinition {
  return { name, kind: 'histogram', unit: 's', description, attributes, digits: 6 };
}

export const metrics = {
  inputTokens: counter(
    'gen_ai.client.inference.usage.input_tokens',
    '{token}',
    tokens,
    'Input tokens, with what was read from and written to the cache.',
  ),
  outputTokens: counter(
    'gen_ai.client.inference.usage.output_tokens',
    '{token}',
    tokens,
    'Output tokens, with reasoning.',
  ),
  cacheReadTokens: counter(
    'gen_ai.client.inference.usage.cache_read.input_tokens',
    '{token}',
    tokens,
    'Input tokens read from the cache; part of the input tokens.',
  ),
  cacheWriteTokens: counter(
    'gen_ai.client.inference.usage.cache_write.input_tokens',
    '{token}',
    tokens,
    'Input tokens written to the cache; part of the input tokens.',
  ),
  reasoningTokens: counter(
    'gen_ai.client.inference.usage.reasoning.output_tokens',
    '{token}',
    tokens,
    'Reasoning tokens; part of the output tokens.',
  ),
  cost: counter(
    'pi.cost.usd',
    '{USD}',
    [...spend, 'pi.cost.source'],
    'Cost of what has a price. Of subscriptions: the list price, which nobody bills.',
    9,
  ),
  records: counter(
    'pi.usage.records',
    '{record}',
    [...spend, 'pi.cost.source'],
    'Records of usage; without a price where the source is unpriced or unreported.',
  ),
  errors: counter(
    'pi.inference.errors',
    '{error}',
    [...answer, 'error.type'],
    'Answers that failed.',
  ),
  retries: counter('pi.inference.retries', '{retry}', answer, 'Retries that the host announced.'),
  answerDuration: duration(
    'gen_ai.client.inference.duration',
    answer,
    'From the request to the end of the answer.',
  ),
  firstChunk: duration(
    'gen_ai.client.inference.time_to_first_chunk',
    answer,
    "From the request to the first token, or to the start of the answer's stream.",
  ),
  toolCalls: counter(
    'pi.tool.calls',
    '{call}',
    ['gen_ai.tool.name', 'pi.project', 'pi.host.name', 'pi.outcome'],
    'Tool calls, `completed` or `failed`.',
  ),
  toolDuration: duration(
    'gen_ai.execute_tool.duration',
    ['gen_ai.tool.name', 'pi.project', 'pi.host.name'],
    'How long a tool ran.',
  ),
  runDuration: duration(
    'gen_ai.invoke_agent.duration',
    ['gen_ai.agent.name', 'pi.project', 'pi.host.name', 'pi.outcome'],
    'From a prompt until the agent is idle, as the running host saw it.',
  ),
  compactions: counter(
    'pi.compaction.count',
    '{compaction}',
    ['pi.project', 'pi.host.name', 'pi.compaction.trigger', 'pi.outcome'],
    'Compactions, `completed`, `failed` or `aborted`.',
  ),
  compactionDuration: duration(
    'pi.compaction.duration',
    ['pi.project', 'pi.host.name', 'pi.compaction.trigger'],
    'How long a compaction took, as the running host saw it.',
  ),
  tokensBefore: {
    name: 'pi.compaction.tokens_before',
    kind: 'histogram',
    unit: '{token}',
    description: 'Tokens in the window before a compaction.',
    attributes: ['pi.project', 'pi.host.name'],
    digits: 0,
  },
  tokensAfter: {
    name: 'pi.compaction.tokens_after',
    kind: 'histogram',
    unit: '{token}',
    description: 'Tokens of the first answer after a compaction, measured by the provider.',
    attributes: ['pi.project', 'pi.host.name'],
    digits: 0,
  },
  utilization: {
    name: 'pi.context.utilization',
    kind: 'histogram',
    unit: '1',
    description: 'How full the context window is after an answer, by the count of the provider.',
    attributes: ['gen_ai.provider.name', 'gen_ai.request.model', 'pi.project', 'pi.host.name'],
    digits: 6,
  },
  utilizationMax: {
    name: 'pi.context.utilization.max',
    kind: 'gauge',
    unit: '1',
    description: "The fullest context window among a project's sessions in the last hour.",
    attributes: ['pi.project'],
    digits: 6,
  },
  budgetState: {
    name: 'pi.budget.state',
    kind: 'gauge',
    unit: '{state}',
    description: 'How a budget stands in its current period: 0 ok, 1 warning, 2 over.',
    attributes: ['pi.budget.name'],
    digits: 0,
  },
  budgetUtilization: {
    name: 'pi.budget.utilization',
    kind: 'gauge',
    unit: '1',
    description: 'How much of its limit a budget has used, at least: 1 is the limit.',
    attributes: ['pi.budget.name'],
    digits: 6,
  },
  hiddenSeries: {
    name: 'pi.metrics.hidden_series',
    kind: 'gauge',
    unit: '{series}',
    description: 'Series that the limit hides; their sums are in the series with overflow.',
    attributes: [],
    digits: 0,
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricKey = keyof typeof metrics;
