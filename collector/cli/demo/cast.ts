/** Who appears in the demo. Every name starts with `demo-`, so nobody takes it for real figures. */

export interface DemoModel {
  readonly provider: string;
  readonly api: string;
  readonly model: string;
  readonly windowTokens: number;
  readonly tokensPerSecond: number;
  /** USD per million tokens; all zero: no known price. */
  readonly price: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
}

export interface DemoUser {
  readonly name: string;
  readonly machine: string;
  readonly utcOffsetMinutes: number;
  readonly host: { readonly name: 'pi' | 'omp'; readonly version: string };
  /** Providers that the user pays by subscription. */
  readonly subscriptions: readonly string[];
}

export interface DemoProject {
  readonly name: string;
  readonly branches: readonly [string, ...string[]];
}

const large: DemoModel = {
  provider: 'demo-anthropic',
  api: 'anthropic-messages',
  model: 'demo-large',
  windowTokens: 200_000,
  tokensPerSecond: 70,
  price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};
const fast: DemoModel = {
  provider: 'demo-openai',
  api: 'openai-completions',
  model: 'demo-fast',
  windowTokens: 128_000,
  tokensPerSecond: 140,
  price: { input: 0.4, output: 1.6, cacheRead: 0.1, cacheWrite: 0 },
};
const deep: DemoModel = {
  provider: 'demo-openai',
  api: 'openai-responses',
  model: 'demo-deep',
  windowTokens: 256_000,
  tokensPerSecond: 45,
  price: { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 0 },
};
const local: DemoModel = {
  provider: 'demo-local',
  api: 'openai-completions',
  model: 'demo-local-30b',
  windowTokens: 128_000,
  tokensPerSecond: 24,
  price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

/** A model that is listed more often is used more often. */
export const demoModels: readonly [DemoModel, ...DemoModel[]] = [
  large,
  large,
  large,
  deep,
  deep,
  fast,
  local,
];

export const demoUsers: readonly [DemoUser, ...DemoUser[]] = [
  user('demo-ada', 'demo-workbench', 60, 'pi', '0.87.1', ['demo-anthropic']),
  user('demo-grace', 'demo-laptop', -300, 'pi', '0.87.1', []),
  user('demo-edsger', 'demo-tower', 60, 'omp', '18.2.3', []),
  user('demo-barbara', 'demo-cabin', 330, 'pi', '0.73.1', ['demo-openai']),
];

export const demoProjects: readonly [DemoProject, ...DemoProject[]] = [
  { name: 'demo-shop', branches: ['main', 'feature/checkout', 'fix/stock'] },
  { name: 'demo-compiler', branches: ['main', 'feature/ssa'] },
  { name: 'demo-weather', branches: ['main', 'feature/radar'] },
  { name: 'demo-website', branches: ['main'] },
  { name: 'demo-firmware', branches: ['main', 'release/2.1'] },
];

function user(
  name: string,
  machine: string,
  utcOffsetMinutes: number,
  host: 'pi' | 'omp',
  version: string,
  subscriptions: readonly string[],
): DemoUser {
  return { name, machine, utcOffsetMinutes, host: { name: host, version }, subscriptions };
}
