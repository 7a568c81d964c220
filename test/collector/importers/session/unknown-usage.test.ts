/** Usage in unknown places. */
import { expect, it } from 'vitest';
import { unknownUsageIn } from '../../../../collector/importers/session/unknown-usage.ts';

const usage = { input: 1 };
const below = (depth: number): object => (depth === 0 ? { usage } : { a: below(depth - 1) });

it.each([
  ['/usage', { usage }],
  ['/usage', { usage: { output: 1 } }],
  ['/usage', { usage: { cost: 1 } }],
  ['/usage', { usage: { cost: { total: 1 } } }],
  ['/data/calls/1/usage', { data: { calls: [null, { usage }] } }],
  ['/usage/usage', { usage: { usage } }],
  ['/message/usage', { message: { usage } }],
  ['/message/note/usage', { message: { note: { usage } } }],
  ['/content/usage', { content: { usage } }],
  ['/note/message/usage', { note: { message: { usage } } }],
  ['/message/note/content/usage', { message: { note: { content: { usage } } } }],
  ['/message/details/usage', { message: { details: { usage } } }],
  ['/message/details/a/0/usage', { message: { details: { a: [{ usage: { inputTokens: 1 } }] } } }],
  ['/data/usage', { message: { usage }, data: { usage } }],
  [`${'/a'.repeat(12)}/usage`, below(12)],
  [`/message${'/a'.repeat(12)}/usage`, { message: below(12) }],
  ['/b/usage', { a: Array(9_000).fill({}), b: { usage } }],
])('is found at %s', (path, body) => {
  expect(unknownUsageIn(body as never)).toBe(path);
});

it.each([
  ['without figures', { usage: { note: 'x', cost: { sum: 1 } } }],
  ['that is a text', { usage: 'see the manual' }],
  ['that is a list', { usage: [1] }],
  ['that is null', { usage: null }],
  ['in what a model wrote', { message: { content: [{ usage }] } }],
  ['in what a tool repeats of subagents', { message: { details: { results: [{ usage }] } } }],
  ['in the sum of omp’s tasks', { message: { toolName: 'task', details: { usage } } }],
  ['under another name', { spend: usage }],
  ['too deep to be looked for', below(13)],
  ['behind more than is looked at', { a: Array(10_000).fill({}), b: { usage } }],
  [
    'behind more than is looked at in an entry and its message together',
    { a: Array(9_000).fill({}), message: { a: Array(1_000).fill({}), b: { usage } } },
  ],
  ['in a message that is a text', { message: 'usage' }],
])('is none %s', (_where, body) => {
  expect(unknownUsageIn(body as never)).toBeNull();
});
