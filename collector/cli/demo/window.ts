/**
 * A session's context window: what the next request sends, and how much of it the provider still
 * has in its cache.
 */
import type { DemoModel } from './cast.ts';
import type { Random } from './random.ts';
import type { DemoTokens } from './spend.ts';

/** Hosts count four characters as a token; the models of the demo count a little more. */
const charsPerToken = 3.7;
/** OpenAI's cache takes prompts in steps of so many tokens. */
const cacheStepTokens = 128;

export interface DemoWindow {
  /** System prompt and tool definitions, in characters. */
  readonly prefix: { readonly systemPromptChars: number; readonly toolDefinitionChars: number };
  /** What the next request sends. */
  tokens(): number;
  add(chars: number): void;
  /** The counts of an answer with this output, which the window holds from then on. */
  answer(outputTokens: number, model: DemoModel): DemoTokens;
  /** After a long pause, or with another model: nothing of it is in a cache. */
  forgetCache(): void;
  /** Only the prefix and these characters are left. */
  compact(chars: number): void;
  /** Goes on from an entry after which it held so much. */
  moveTo(tokens: number): void;
}

export function createWindow(random: Random): DemoWindow {
  const prefix = {
    systemPromptChars: random.between(24_000, 34_000),
    toolDefinitionChars: random.between(9_000, 15_000),
  };
  const prefixTokens = toTokens(prefix.systemPromptChars + prefix.toolDefinitionChars);
  let tokens = prefixTokens;
  let cachedTokens = 0;
  return {
    prefix,
    tokens: () => tokens,
    add(chars) {
      tokens += toTokens(chars);
    },
    answer(outputTokens, { price }) {
      const counts = splitTokens(tokens, cachedTokens, outputTokens, price.cacheWrite > 0);
      cachedTokens = tokens;
      tokens += outputTokens;
      return counts;
    },
    forgetCache() {
      cachedTokens = 0;
    },
    compact(chars) {
      tokens = prefixTokens + toTokens(chars);
      cachedTokens = 0;
    },
    moveTo(then) {
      tokens = then;
      cachedTokens = Math.min(cachedTokens, then);
    },
  };
}

/** With a price for writes, all but the last few tokens are written to the cache. */
function splitTokens(
  tokens: number,
  cachedTokens: number,
  outputTokens: number,
  writesCache: boolean,
): DemoTokens {
  if (!writesCache) {
    const read = Math.floor(cachedTokens / cacheStepTokens) * cacheStepTokens;
    return [tokens - read, outputTokens, read, 0];
  }
  const input = Math.min(4, tokens - cachedTokens);
  return [input, outputTokens, cachedTokens, tokens - cachedTokens - input];
}

function toTokens(chars: number): number {
  return Math.round(chars / charsPerToken);
}
