/** The answers of a made-up session, and the attempts that reported nothing. */
import type { EventData, Spend } from '@pi-ledger/contract';
import { noTokens, priceTokens } from './spend.ts';
import { type DemoWork, hostOf } from './work.ts';

export interface DemoAnswered {
  readonly entryId: string;
  readonly spend: Spend;
}

const outputTokensMax = 2_200;
/** How often a response tells its limits. */
const tellsLimits = 0.25;

/** An answer that calls this tool, or none. */
export function answer(work: DemoWork, turnIndex: number, toolName: string | null): DemoAnswered {
  const { recorder, window, model } = work;
  const { random } = recorder;
  const outputTokens = random.between(60, outputTokensMax);
  const requestedAtMs = recorder.nowMs;
  const firstMs = random.between(250, 2_400);
  const tookMs = firstMs + Math.round((outputTokens / model.tokensPerSecond) * 1_000);
  tellLimits(work);
  recorder.nowMs += tookMs;
  const chars = estimateChars(outputTokens, toolName !== null);
  const spend = priceTokens(model, window.answer(outputTokens, model));
  const placed = recorder.place(chars);
  recorder.entry('pi.turn.completed.v1', {
    ...placed,
    ...makeTurn(work, { turnIndex, requestedAtMs, tookMs, firstMs }),
    spend,
    stopReason: toolName !== null ? 'toolUse' : random.chance(0.01) ? 'length' : 'stop',
    toolCalls: toolName === null ? {} : { [toolName]: 1 },
  });
  if (!hostOf(work).isOmp) timed(work, placed.entryId, firstMs, tookMs, 200);
  work.recent.push({ entryId: placed.entryId, chars: outputTokens * 4 });
  const { provider } = model;
  const { name, subscriptions } = work.plan.user;
  if (subscriptions.includes(provider))
    work.quota.use(`${name}/${provider}`, recorder.nowMs, spend.costNanoUsd ?? 0);
  return { entryId: placed.entryId, spend };
}

/** An attempt that failed or was aborted: it reports nothing, and has an upper estimate. */
export function attempt(work: DemoWork, turnIndex: number, stopReason: 'error' | 'aborted'): void {
  const { recorder, window, model } = work;
  const requestedAtMs = recorder.nowMs;
  const tookMs = recorder.random.between(900, 9_000);
  recorder.nowMs += tookMs;
  const placed = recorder.place();
  const { isOmp, isOldPi } = hostOf(work);
  const status = stopReason === 'error' ? overloaded(work) : null;
  recorder.entry('pi.turn.completed.v1', {
    ...placed,
    ...makeTurn(work, { turnIndex, requestedAtMs, tookMs, firstMs: null }),
    spend: priceTokens(model, noTokens),
    stopReason,
    errorStatus: isOmp ? status : null,
    toolCalls: {},
  });
  recorder.entry('pi.attempt.estimated.v1', {
    entryId: placed.entryId,
    provider: model.provider,
    model: model.model,
    tokensMax: window.tokens(),
    costNanoUsdMax: highestCost(work),
    source: isOmp ? 'host' : 'previous',
  });
  if (!isOmp) timed(work, placed.entryId, null, tookMs, null);
  if (!isOmp && !isOldPi && status !== null) respond(work, status, []);
}

function makeTurn(
  work: DemoWork,
  times: {
    readonly turnIndex: number;
    readonly requestedAtMs: number;
    readonly tookMs: number;
    readonly firstMs: number | null;
  },
) {
  const { isOmp } = hostOf(work);
  const { turnIndex, requestedAtMs, tookMs, firstMs } = times;
  const { systemPromptChars, toolDefinitionChars } = work.window.prefix;
  return {
    turnIndex,
    requestedAtMs,
    thinkingLevel: work.thinkingLevel,
    rawStopReason: null,
    errorStatus: null,
    durationMs: isOmp ? tookMs : null,
    timeToFirstTokenMs: isOmp ? firstMs : null,
    ...(isOmp && { nonMessageTokens: Math.ceil((systemPromptChars + toolDefinitionChars) / 4) }),
  };
}

/** pi tells these only while it runs. */
function timed(
  work: DemoWork,
  entryId: string,
  timeToFirstByteMs: number | null,
  durationMs: number,
  status: number | null,
): void {
  const { recorder, model } = work;
  const { promptEntryId } = recorder;
  recorder.live('pi.turn.timed.v1', {
    entryId,
    promptEntryId,
    provider: model.provider,
    model: model.model,
    timeToFirstByteMs,
    durationMs,
    status,
  });
}

function tellLimits(work: DemoWork): void {
  const { recorder, quota, plan, model } = work;
  const { name, subscriptions } = plan.user;
  if (hostOf(work).isOldPi || !subscriptions.includes(model.provider)) return;
  if (!recorder.random.chance(tellsLimits)) return;
  respond(work, 200, quota.told(`${name}/${model.provider}`, recorder.nowMs));
}

type Limits = EventData<'pi.response.received.v1'>['limits'];

function respond({ recorder, model }: DemoWork, status: number, limits: Limits): void {
  recorder.live('pi.response.received.v1', {
    leafEntryId: recorder.leaf,
    promptEntryId: recorder.promptEntryId,
    provider: model.provider,
    model: model.model,
    status,
    retryAfterMs: null,
    limits,
  });
}

function estimateChars(outputTokens: number, callsTool: boolean) {
  const chars = outputTokens * 4;
  const toolCallChars = callsTool ? Math.floor(chars * 0.3) : 0;
  const thinkingChars = Math.floor(chars * 0.25);
  return { textChars: chars - toolCallChars - thinkingChars, thinkingChars, toolCallChars };
}

function overloaded({ model }: DemoWork): number {
  return model.provider === 'demo-anthropic' ? 529 : 503;
}

/** The most that can have been sent, at the highest price of input. */
function highestCost({ model: { price }, window }: DemoWork): number | null {
  const highest = Math.max(price.input, price.cacheWrite);
  return highest === 0 ? null : Math.round(window.tokens() * highest * 1_000);
}
