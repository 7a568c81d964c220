import { type ColumnOf, tableOf } from '../columns.ts';
import { amountColumns, cacheColumn, tokensColumn } from '../spend-columns.ts';
import type { ModelDay, ModelRow } from './schema.ts';

const everywhere = ['command', 'page', 'grafana', 'errors'] as const;
const ofErrors = ['command', 'grafana', 'errors'] as const;

/** The part of the answers that failed. */
const errorsColumn = {
  key: 'share',
  title: 'errors',
  is: 'share',
  part: 'failedAnswers',
  of: ['answers'],
  places: 1,
  drops: 2,
} as const satisfies ColumnOf<ModelDay>;

export const modelTable = tableOf<ModelRow>()([
  { key: 'model', title: 'model', is: 'name', of: 'model', in: everywhere },
  ...amountColumns,
  { key: 'attempts', title: 'answers', is: 'count', of: 'answers', drops: 1 },
  { key: 'p50', title: 'p50', is: 'percentile', of: 'durationP50' },
  { key: 'range', title: 'p50 to p95', is: 'own', drops: 3, in: ['page'] },
  { key: 'p95', title: 'p95', is: 'percentile', of: 'durationP95' },
  {
    key: 'firstP50',
    title: 'first',
    heading: 'first token',
    is: 'percentile',
    of: 'firstP50',
    drops: 3,
  },
  { key: 'firstP95', title: 'first p95', is: 'percentile', of: 'firstP95', drops: 4, in: ['page'] },
  { ...cacheColumn, drops: 4 },
  { key: 'failed', title: 'failed', is: 'count', of: 'failedAnswers', in: ['errors'] },
  { ...errorsColumn, in: ofErrors },
  { key: 'provider', title: 'provider', is: 'name', of: 'provider', drops: 5 },
  { key: 'tokensPerSecond', title: 'tokens/s', is: 'rate', of: 'outputTokensPerSecond', drops: 6 },
  { key: 'retries', title: 'retries', is: 'count', of: 'retries', drops: 7, in: ofErrors },
  {
    key: 'givenUp',
    title: 'given up',
    is: 'count',
    of: 'retriesGivenUp',
    drops: 7,
    in: ['errors'],
  },
  { key: 'aborted', title: 'aborted', is: 'count', of: 'abortedAnswers', drops: 2, in: ['errors'] },
  { key: 'cutOff', title: 'cut off', is: 'count', of: 'cutOffAnswers', drops: 2, in: ['errors'] },
  { key: 'statuses', title: 'failed by status', is: 'own', drops: 8, in: ['command', 'errors'] },
  { key: 'httpErrors', title: 'HTTP errors', is: 'own', drops: 9, in: ['command', 'errors'] },
  {
    key: 'meteredPer1k',
    title: 'metered/1k out',
    is: 'usd',
    drops: 9,
    of: 'costPer1kOutput.meteredNanoUsd',
  },
  {
    key: 'subscriptionPer1k',
    title: 'subscription/1k out',
    is: 'usd',
    drops: 10,
    of: 'costPer1kOutput.subscriptionNanoUsd',
  },
  {
    key: 'unknownPer1k',
    title: 'unknown/1k out',
    is: 'usd',
    drops: 11,
    of: 'costPer1kOutput.unknownBillingNanoUsd',
    in: ['command', 'page'],
  },
  { ...tokensColumn, drops: 12 },
]);

export const unpricedTable = tableOf<ModelRow>()([
  { key: 'model', title: 'model', is: 'name', of: 'model' },
  { key: 'provider', title: 'provider', is: 'name', of: 'provider' },
  { key: 'unpriced', title: 'without a price', is: 'count', of: 'unpricedRecords' },
  { key: 'records', title: 'records', is: 'count', of: 'records', drops: 1 },
  { ...tokensColumn, drops: 2 },
]);

export const modelDayTable = tableOf<ModelDay>()([
  { key: 'day', title: 'day', is: 'day', of: 'day' },
  { key: 'model', title: 'model', is: 'name', of: 'model', widthKept: 12 },
  { key: 'attempts', title: 'answers', is: 'count', of: 'answers', drops: 1 },
  { key: 'p50', title: 'p50', is: 'percentile', of: 'durationP50' },
  { key: 'p95', title: 'p95', is: 'percentile', of: 'durationP95' },
  { key: 'firstP50', title: 'first', is: 'percentile', of: 'firstP50' },
  { key: 'tokensPerSecond', title: 'tokens/s', is: 'rate', of: 'outputTokensPerSecond' },
  errorsColumn,
  { key: 'provider', title: 'provider', is: 'name', of: 'provider', drops: 3 },
]);
