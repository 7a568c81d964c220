import { api, ErrorAnswer, type Operation } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { importTool } from '../../../tools/tools.ts';
import { errorsIn } from '../../support/contract-check.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';

interface Linter {
  createConfig(config: { readonly extends: readonly string[] }): Promise<object>;
  lintFromString(options: {
    readonly source: string;
    readonly absoluteRef: string;
    readonly config: object;
  }): Promise<readonly Problem[]>;
}

interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

const homes = ledgerHomes();

const operations = Object.keys(api) as Operation[];

describe('GET /openapi.json', () => {
  it('describes every route, its parameters and answers', async () => {
    const { json } = await get(await homes.open(), '/openapi.json');
    const document = json();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).toSorted()).toEqual([
      '/health/live',
      '/health/ready',
      '/metrics',
      '/v1/agent',
      '/v1/answers',
      '/v1/billing',
      '/v1/budgets',
      '/v1/budgets/crossings',
      '/v1/budgets/deliveries',
      '/v1/compactions',
      '/v1/compactions/{id}',
      '/v1/context/{session}',
      '/v1/context/{session}/series',
      '/v1/dead-letters',
      '/v1/dead-letters/remove',
      '/v1/dead-letters/retry',
      '/v1/events',
      '/v1/health',
      '/v1/hosts',
      '/v1/insights',
      '/v1/insights/{id}/hidden',
      '/v1/labels',
      '/v1/live',
      '/v1/log',
      '/v1/log/own',
      '/v1/models',
      '/v1/models/days',
      '/v1/producers',
      '/v1/proof',
      '/v1/quota',
      '/v1/quota/history',
      '/v1/rebuild/{projection}',
      '/v1/reconciliation',
      '/v1/reprice',
      '/v1/requests',
      '/v1/runs',
      '/v1/seal',
      '/v1/sessions',
      '/v1/sessions/{id}',
      '/v1/sessions/{id}/timeline',
      '/v1/standing',
      '/v1/tokens',
      '/v1/tokens/{id}/revoke',
      '/v1/tools',
      '/v1/tools/costs',
      '/v1/tools/models',
      '/v1/totals',
      '/v1/usage',
      '/v1/usage/rows',
      '/v1/withdrawals',
    ]);
    const names = document.paths['/v1/usage'].get.parameters.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).toEqual(
      expect.arrayContaining([
        'by',
        'project',
        'user',
        'model',
        'host',
        'since',
        'until',
        'timezone',
        'limit',
        'cursor',
        'format',
      ]),
    );
  });

  it('names operations, shares schemas, and has an example for each answer', async () => {
    const { json } = await get(await homes.open(), '/openapi.json');
    const { paths, components } = json();
    const described =
      Object.entries<Record<string, { operationId: string; responses: Record<string, object> }>>(
        paths,
      );
    const found = described.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [
        `${method.toUpperCase()} ${path}`,
        operationId,
      ]),
    );
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries([
        ...operations.map((name) => [name, api[name].operationId]),
        ['GET /metrics', 'readMetrics'],
      ]),
    );
    const { responses } = paths['/v1/sessions'].get;
    expect(responses['200'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/SessionList',
    });
    expect(responses['4XX'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Error',
    });
    expect(components.schemas.SessionList.properties.rows.items).toEqual({
      $ref: '#/components/schemas/Session',
    });
    expect(Object.keys(paths['/metrics'].get.responses['200'].content)).toEqual([
      'text/plain',
      'application/openmetrics-text',
    ]);
    for (const { schema } of described
      .filter(([path]) => path !== '/metrics')
      .flatMap(([, methods]) => Object.values(methods))
      .map(answerOf))
      expect(components.schemas[schema.$ref.split('/').at(-1) ?? '']).toHaveProperty('examples.0');
  });

  it('says what events look like, which formats lists have, and when to try again', async () => {
    const { json } = await get(await homes.open(), '/openapi.json');
    const { paths } = json();
    for (const path of ['/v1/events', '/v1/log'])
      expect(paths[path].post.requestBody.content).toEqual({
        'application/cloudevents-batch+json': {
          schema: { type: 'array', items: { $ref: '#/components/schemas/Event' } },
        },
        'application/cloudevents+json': { schema: { $ref: '#/components/schemas/Event' } },
      });
    const every = Object.values<Record<string, object>>(paths).flatMap(Object.values);
    const csv = every.filter(({ responses }) => 'text/csv' in (responses[200]?.content ?? {}));
    const formatted = every.filter(({ parameters = [] }) =>
      parameters.some(({ name }: { name: string }) => name === 'format'),
    );
    expect(csv).toEqual(formatted);
    expect(csv.length).toBeGreaterThan(8);
    for (const { responses } of every) expect(responses).toHaveProperty('503');
  });

  it('says how large each number may be that is sent', async () => {
    const { json } = await get(await homes.open(), '/openapi.json');
    const unbounded: string[] = [];
    JSON.stringify(json().paths, function (this: { maximum?: number }, name, value) {
      if (name === 'responses') return undefined;
      if (name === 'type' && value === 'integer' && this.maximum === undefined)
        unbounded.push(JSON.stringify(this));
      return value;
    });
    expect(unbounded).toEqual([]);
  });

  it('passes a linter of OpenAPI documents', async () => {
    const { text } = await get(await homes.open(), '/openapi.json');
    const linter = await importTool<Linter>('openapi', '@redocly/openapi-core');
    const config = await linter.createConfig({ extends: ['recommended'] });
    const problems = await linter.lintFromString({
      source: text,
      absoluteRef: 'openapi.json',
      config,
    });
    expect(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([]);
  });
});

function answerOf({ responses }: { responses: Record<string, object> }) {
  const { content } = responses['200'] as {
    content: { 'application/json': { schema: { $ref: string } } };
  };
  return content['application/json'];
}

describe('the examples of the contract', () => {
  it.each(operations)('%s: is what its schema says, and nothing else', (name) => {
    const { examples = [] } = api[name].answer as { examples?: readonly unknown[] };
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(errorsIn(name, example)).toEqual([]);
  });

  it('of an error too', () => {
    const { examples } = ErrorAnswer as unknown as { examples: readonly unknown[] };
    for (const example of examples) expect(errorsIn('error', example)).toEqual([]);
  });
});
