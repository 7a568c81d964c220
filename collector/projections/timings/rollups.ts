/**
 * What the projection `timings` sums: answers by model, their errors by HTTP status, tools, what
 * models asked of them, and runs. By local day; a row's project, user, host and billing are those
 * of the session's timeline.
 */
import type { Rollup } from '../projection.ts';
import { answerDurations, firstDurations, runDurations, toolDurations } from './buckets.ts';

const common = ['day', 'project', 'user', 'host'] as const;
const indexes = [['day'], ['project', 'day'], ['user', 'day']];

/** What is asked of everybody and all projects is answered from far fewer rows. */
function withDays(rollup: Pick<Rollup, 'name' | 'dimensions' | 'measures'>): Rollup {
  const days: Rollup = {
    name: `${rollup.name}_days`,
    dimensions: rollup.dimensions.filter((name) => name !== 'project' && name !== 'user'),
    measures: rollup.measures,
    indexes: [['day']],
  };
  return { ...rollup, indexes, coarser: [days] };
}

export const answers: Rollup = withDays({
  name: 'answers',
  dimensions: [...common, 'provider', 'model', 'billing'],
  measures: [
    /** Every answer and every attempt. */
    'answers',
    'failedAnswers',
    'abortedAnswers',
    /** Cut off at the model's limit. */
    'cutOffAnswers',
    'retries',
    /** Retries after which the host gave up. */
    'retriesGivenUp',
    /** It sums the output tokens of answers with a price, which is in `nanoUsd`. */
    'pricedOutputTokens',
    'nanoUsd',
    /** It sums the output tokens of answers whose duration is known, which is in `timedUs`. */
    'timedOutputTokens',
    'timedUs',
    /** Only answers that came to their end are in these. */
    ...answerDurations.measures,
    ...firstDurations.measures,
  ],
});

export const statuses: Rollup = withDays({
  name: 'statuses',
  /** `status`: empty when the host did not say. */
  dimensions: [...common, 'provider', 'model', 'status'],
  measures: ['failedAnswers', 'errorResponses'],
});

export const tools: Rollup = withDays({
  name: 'tools',
  dimensions: [...common, 'tool'],
  measures: [
    'calls',
    'failures',
    'resultChars',
    'resultImages',
    /** Files that arguments name; each call counts. */
    'namedFiles',
    ...toolDurations.measures,
  ],
});

/** By the answers that called them; their shares are in asked.ts. */
export const asked: Rollup = withDays({
  name: 'asked',
  dimensions: [...common, 'provider', 'model', 'tool', 'billing'],
  measures: [
    'calls',
    /** The answers of these calls have no price. */
    'unpricedCalls',
    /** The host did not report the usage of these calls' answers. */
    'unreportedCalls',
    'nanoUsd',
    'tokens',
  ],
});

/** Whether its rows are divided by how the provider is paid. */
export function isBilled({ dimensions }: Rollup): boolean {
  return dimensions.includes('billing');
}

/** What a session's timeline says of a row; the other dimensions are the line's own. */
const labelled: readonly string[] = ['day', 'project', 'user', 'host', 'agent', 'billing'];

/** The texts of a line's name, by the dimensions that they are. */
export function namesIn(
  { dimensions }: Rollup,
  name: readonly string[],
): Readonly<Record<string, string>> {
  const own = dimensions.filter((each) => !labelled.includes(each));
  return Object.fromEntries(own.map((each, index) => [each, name[index] ?? '']));
}

export const runs: Rollup = {
  name: 'runs',
  dimensions: [...common, 'agent', 'outcome'],
  measures: [
    'runs',
    'turns',
    'attempts',
    'toolCalls',
    'errors',
    'filesModified',
    ...runDurations.measures,
  ],
  indexes,
};
