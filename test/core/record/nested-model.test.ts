import { expect, it } from 'vitest';
import { nestedModel } from '../../../core/record/nested-model.ts';

const above = { turnProvider: 'anthropic' };

it.each([
  [null, 'anthropic', null],
  [{}, 'anthropic', null],
  [{ results: 'x' }, 'anthropic', null],
  [{ model: '' }, 'anthropic', null],
  [{ model: 'gpt' }, 'anthropic', 'gpt'],
  [{ model: '/gpt' }, 'anthropic', '/gpt'],
  [{ model: 'openai/gpt' }, 'openai', 'gpt'],
  [{ model: 'openrouter/meta/llama:free' }, 'openrouter', 'meta/llama:free'],
  [{ results: [{ model: 'fake-openai/fake-gpt:low' }] }, 'fake-openai', 'fake-gpt'],
  [{ results: [{ model: 'p/m:low' }, { model: 'p/m:high' }, 7] }, 'p', 'm'],
  [{ results: [{ model: 'p/m' }, { model: 'p/n' }] }, 'p', null],
  [{ results: [{ model: 'p/m' }, { model: 'q/m' }] }, 'anthropic', null],
  [{ provider: 'meta', model: 'meta/llama' }, 'meta', 'meta/llama'],
  [{ provider: 'xai' }, 'anthropic', null],
  [{ response: { provider: 'xai', model: 'grok' } }, 'xai', 'grok'],
])('of %j it is that of %s: %s', (details, provider, model) => {
  expect(nestedModel(details, above)).toMatchObject({ provider, model });
});
