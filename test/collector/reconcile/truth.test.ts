/**
 * The true figures of the corpus, counted independently as a person would: each entry with usage
 * once, in any file, and claims for subagents without a file. Uses no code of the product.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CorpusTotals, corpusCases, nanoUsdOf } from './support/corpus.ts';

/** Cases in which only a tool result is left of a subagent, so that its claims count. */
const claimsCountIn = new Set(['omp-subagent-gone', 'pi-subagent-no-session', 'pi-subagent-sum']);

interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
  readonly reasoningTokens?: number;
  readonly cost?: number | { readonly total?: number; readonly totalFromProvider?: boolean };
}

interface Message {
  readonly customType?: string;
  readonly data?: { readonly state?: string };
  readonly role?: string;
  readonly usage?: Usage;
  readonly details?: {
    readonly results?: readonly {
      readonly usage?: Usage;
      readonly messages?: readonly Message[];
    }[];
  };
}

describe('the truth of the corpus', () => {
  it.each(corpusCases())('is what $name says entry by entry', ({ name, home, totals }) => {
    const entries = entriesIn(home);
    const claims = claimsCountIn.has(name) ? entries.flatMap(claimsOf) : [];
    expect(sumOf([...spentIn(entries), ...claims])).toEqual(figuresOf(totals));
  });
});

interface Entry {
  readonly id: string;
  readonly timestamp: string;
  readonly message: Message;
}

/** Each entry once, with its cost if any copy has it: omp's /tan removes it. */
function spentIn(entries: readonly Entry[]): readonly Usage[] {
  const spent = new Map<string, Usage>();
  for (const { id, timestamp, message } of entries) {
    const usage = message.usage ?? (message.role === 'assistant' ? {} : null);
    const known = spent.get(`${id} ${timestamp}`);
    if (usage !== null && (known === undefined || usdOf(usage) > usdOf(known)))
      spent.set(`${id} ${timestamp}`, usage);
  }
  return [...spent.values()];
}

/** The answers that a tool result repeats, or its sum where it repeats none. */
function claimsOf({ message }: Entry): readonly Usage[] {
  return (message.details?.results ?? []).flatMap(({ messages = [], usage }) => {
    const answers = messages.flatMap((each) => each.usage ?? []);
    return answers.length > 0 ? answers : (usage ?? []);
  });
}

function entriesIn(home: string): readonly Entry[] {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.jsonl'),
  );
  return files.flatMap((file) =>
    withoutPrivate(readFileSync(join(home, file), 'utf8').split('\n').flatMap(parsed)),
  );
}

/** From `paused` to `resumed` nothing counts, nor do results of tools right after it. */
function withoutPrivate(entries: readonly Entry[]): readonly Entry[] {
  let said = 'resumed';
  let isLate = false;
  return entries.filter(({ message }) => {
    const state = message.customType === 'pi-ledger.recording' ? message.data?.state : undefined;
    said = state ?? said;
    isLate = state === 'resumed' || (isLate && message.role === 'toolResult');
    return said === 'resumed' && !isLate;
  });
}

/** Half a line is ignored. An entry other than a message has its usage itself. */
function parsed(line: string): readonly Entry[] {
  try {
    const entry = JSON.parse(line);
    const { type, timestamp, message, ...rest } = entry;
    // An id after the time was added when a session of format v1 was resumed.
    const names = Object.keys(entry);
    const id = names.indexOf('id') < names.indexOf('timestamp') ? (entry.id ?? '') : '';
    return [{ id, timestamp, message: type === 'message' ? message : rest }];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function sumOf(usages: readonly Usage[]) {
  const sum = (say: (usage: Usage) => number) =>
    usages.reduce((total, usage) => total + say(usage), 0);
  const isReported = (usage: Usage) =>
    [usage.input, usage.output, usage.cacheRead, usage.cacheWrite].some(
      (tokens) => (tokens ?? 0) > 0,
    );
  const isPriced = ({ cost }: Usage) =>
    typeof cost === 'object'
      ? (cost.total ?? 0) > 0 || cost.totalFromProvider === true
      : (cost ?? 0) > 0;
  return {
    records: usages.length,
    inputTokens: sum(({ input = 0 }) => input),
    outputTokens: sum(({ output = 0 }) => output),
    cacheReadTokens: sum(({ cacheRead = 0 }) => cacheRead),
    cacheWriteTokens: sum(({ cacheWrite = 0 }) => cacheWrite),
    reasoningTokens: sum(({ reasoning, reasoningTokens }) => reasoning ?? reasoningTokens ?? 0),
    unreportedRecords: usages.filter((usage) => !isReported(usage)).length,
    unpricedRecords: usages.filter((usage) => isReported(usage) && !isPriced(usage)).length,
    // The corpus has no amount finer than a nano-dollar.
    nanoUsd: sum((usage) => Math.round(usdOf(usage) * 1e9)),
  };
}

function usdOf({ cost }: Usage): number {
  return typeof cost === 'object' ? (cost.total ?? 0) : (cost ?? 0);
}

function figuresOf({ costUsd, subscriptionUsd, ...counts }: CorpusTotals) {
  return { ...counts, nanoUsd: Number(nanoUsdOf(costUsd)) + Number(nanoUsdOf(subscriptionUsd)) };
}
