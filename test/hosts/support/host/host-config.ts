/**
 * Settings files that make a host use the fake LLM server: models and prices, retries, compaction.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from './hosts.ts';

/** `provider/id` of every model in a sandbox. */
export type ModelName =
  | 'fake-openai/fake-gpt'
  /** A window of 10,000 tokens, so that one `SCN:big` overflows it. */
  | 'fake-openai/fake-small'
  /** Priced at zero, which means an unknown price. */
  | 'fake-openai/fake-free'
  | 'fake-anthropic/fake-claude';

export const modelDefault: ModelName = 'fake-openai/fake-gpt';

export type Settings = Readonly<Record<string, unknown>>;

/**
 * Writes models and settings below `home`. JSON is valid YAML, so omp gets the same text under its
 * own file names.
 */
export function writeHostConfig(
  host: Host,
  home: string,
  port: number,
  overrides: Settings = {},
): void {
  const agent = join(home, host.family === 'pi' ? '.pi' : '.omp', 'agent');
  mkdirSync(agent, { recursive: true });
  const [models, settings] =
    host.family === 'pi' ? ['models.json', 'settings.json'] : ['models.yml', 'config.yml'];
  writeJson(join(agent, models), { providers: providers(port) });
  writeJson(join(agent, settings), {
    ...(host.family === 'pi' ? piSettings : ompSettings),
    ...overrides,
  });
}

const retry = { enabled: true, maxRetries: 3, baseDelayMs: 50 };

const compaction = { enabled: true, reserveTokens: 1000, keepRecentTokens: 100 };

const piSettings: Settings = {
  retry,
  compaction,
  quietStartup: true,
  defaultProvider: 'fake-openai',
  defaultModel: 'fake-gpt',
};

/** `async` must be off: otherwise `-p` exits before its subagents have run. */
const ompSettings: Settings = {
  retry,
  compaction: { ...compaction, methodOrder: ['soft'], asyncEnabled: false },
  modelRoles: { default: modelDefault, smol: modelDefault, tiny: modelDefault },
  tools: { approvalMode: 'yolo' },
  async: { enabled: false },
};

function providers(port: number): object {
  const key = { apiKey: 'not-a-secret' };
  const priced = { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 2.5 };
  const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    'fake-openai': {
      ...key,
      api: 'openai-completions',
      baseUrl: `http://127.0.0.1:${port}/v1`,
      compat: { supportsUsageInStreaming: true },
      models: [
        model('fake-gpt', 128_000, priced, true),
        model('fake-small', 10_000, priced),
        model('fake-free', 128_000, free),
      ],
    },
    'fake-anthropic': {
      ...key,
      api: 'anthropic-messages',
      baseUrl: `http://127.0.0.1:${port}`,
      models: [
        model(
          'fake-claude',
          200_000,
          { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
          true,
        ),
      ],
    },
  };
}

function model(id: string, contextWindow: number, cost: object, reasoning = false): object {
  const maxTokens = contextWindow > 10_000 ? 4096 : 1000;
  return { id, name: id, reasoning, input: ['text'], contextWindow, maxTokens, cost };
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, JSON.stringify(value, null, 2));
}
