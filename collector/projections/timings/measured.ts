/** What one event measured: the amounts that it adds to the tables of its session. Pure. */

import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { readPrice } from '@pi-ledger/core/spend/price';
import type { Amount } from '../amount.ts';
import type { Rollup } from '../projection.ts';
import { isUnpricedCopy } from '../session/entries.ts';
import { askedTools } from './asked.ts';
import {
  answerDurations,
  findBucket,
  firstDurations,
  type Histogram,
  microseconds,
  runDurations,
  toolDurations,
} from './buckets.ts';
import type { TableName, TimingLineName } from './cells.ts';
import { answers, runs, statuses, tools } from './rollups.ts';
import { toRunFact } from './runs.ts';

export interface Measurement {
  readonly table: TableName;
  readonly name: TimingLineName;
  readonly amounts: readonly Amount[];
}

const firstErrorStatus = 400;

/** Whether the event says anything of this. */
export function isMeasured(event: LedgerEvent): boolean {
  switch (event.type) {
    case 'pi.turn.completed.v1':
      return !isUnpricedCopy(event, event.data.spend);
    case 'pi.response.received.v1':
      return (event.data.status ?? 0) >= firstErrorStatus;
    case 'pi.retry.ended.v1':
      return !event.data.succeeded;
    case 'pi.turn.timed.v1':
    case 'pi.retry.scheduled.v1':
    case 'pi.tool.completed.v1':
    case 'pi.tool.timed.v1':
    case 'pi.run.completed.v1':
      return true;
    default:
      return false;
  }
}

/** The event is one that says something of this; nothing for any other. */
export function measuredBy(event: LedgerEvent): readonly Measurement[] {
  switch (event.type) {
    case 'pi.turn.completed.v1':
      return ofTurn(event.data);
    case 'pi.turn.timed.v1':
      return [ofTimedTurn(event.data)];
    case 'pi.response.received.v1':
      return [ofStatus(event.data, event.data.status, { errorResponses: 1 })];
    case 'pi.retry.scheduled.v1':
      return [ofAnswer(event.data, { retries: 1 })];
    case 'pi.retry.ended.v1':
      return [ofAnswer(event.data, { retriesGivenUp: 1 })];
    case 'pi.tool.completed.v1':
      return [ofTool(event.data)];
    case 'pi.tool.timed.v1':
      return [ofTimedTool(event.data)];
    case 'pi.run.completed.v1':
      return [ofRun(event)];
    default:
      return [];
  }
}

function ofTurn(data: EventData<'pi.turn.completed.v1'>): readonly Measurement[] {
  const { spend, stopReason, durationMs } = data;
  const isFailed = stopReason === 'error';
  const isAborted = stopReason === 'aborted';
  const price = readPrice(spend);
  const answer = ofAnswer(
    spend,
    {
      answers: 1,
      failedAnswers: Number(isFailed),
      abortedAnswers: Number(isAborted),
      cutOffAnswers: Number(stopReason === 'length'),
      pricedOutputTokens: price === null ? 0 : spend.outputTokens,
      nanoUsd: price ?? 0,
    },
    {
      outputTokens: isFailed || isAborted || !spend.reported ? null : spend.outputTokens,
      durationMs: isFailed || isAborted ? null : durationMs,
      firstMs: data.timeToFirstTokenMs,
    },
  );
  const asked = askedTools(data).map((each): Measurement => ({ table: 'asked', ...each }));
  return isFailed
    ? [answer, ofStatus(spend, data.errorStatus, { failedAnswers: 1 }), ...asked]
    : [answer, ...asked];
}

/** The entry of an answer says its duration, or this event does: never both. */
function ofTimedTurn(data: EventData<'pi.turn.timed.v1'>): Measurement {
  const { timeToFirstByteMs, durationMs, outputTokens = null } = data;
  const hasCome = timeToFirstByteMs !== null && data.outputTokens !== null;
  return ofAnswer(
    data,
    {},
    { outputTokens, durationMs: hasCome ? durationMs : null, firstMs: timeToFirstByteMs },
  );
}

interface ModelName {
  readonly provider: string | null;
  readonly model: string | null;
}

interface Times {
  readonly outputTokens: number | null;
  readonly durationMs: number | null;
  readonly firstMs: number | null;
}

const untimed: Times = { outputTokens: null, durationMs: null, firstMs: null };

function ofAnswer(
  name: ModelName,
  counts: Counts,
  { outputTokens, durationMs, firstMs }: Times = untimed,
): Measurement {
  const isTimed = outputTokens !== null && durationMs !== null;
  const all = {
    ...counts,
    timedOutputTokens: isTimed ? outputTokens : 0,
    timedUs: isTimed ? microseconds(durationMs) : 0,
  };
  const amounts = toAmounts(answers, all, [
    [answerDurations, durationMs],
    [firstDurations, firstMs],
  ]);
  return { table: 'answers', name: modelName(name), amounts };
}

function ofStatus(name: ModelName, status: number | null, counts: Counts): Measurement {
  const isStatus = status !== null && status >= 100 && status <= 999;
  return {
    table: 'statuses',
    name: [...modelName(name), isStatus ? String(status) : ''],
    amounts: toAmounts(statuses, counts, []),
  };
}

function ofTool(data: EventData<'pi.tool.completed.v1'>): Measurement {
  const { textChars, thinkingChars, toolCallChars, otherChars, images } = data.sizes;
  const counts = {
    calls: 1,
    failures: Number(data.isError),
    resultChars: textChars + thinkingChars + toolCallChars + otherChars,
    resultImages: images,
    namedFiles: data.paths.length,
  };
  const amounts = toAmounts(tools, counts, [[toolDurations, data.durationMs]]);
  return { table: 'tools', name: [data.toolName], amounts };
}

function ofTimedTool({ toolName, durationMs }: EventData<'pi.tool.timed.v1'>): Measurement {
  const amounts = toAmounts(tools, {}, [[toolDurations, durationMs]]);
  return { table: 'liveTools', name: [toolName], amounts };
}

function ofRun(event: LedgerEvent<'pi.run.completed.v1'>): Measurement {
  const { time: _, promptEntryId: __, durationMs, outcome, ...counts } = toRunFact(event);
  const amounts = toAmounts(runs, { runs: 1, ...counts }, [[runDurations, durationMs]]);
  return { table: 'runs', name: [outcome], amounts };
}

function modelName({ provider, model }: ModelName): TimingLineName {
  return [provider ?? '', model ?? ''];
}

type Counts = Readonly<Record<string, number>>;

/**
 * The measures of a rollup, in its order: the counts by name, then the histograms. Zeros at the end
 * are left out: most events fill a few of forty measures.
 */
function toAmounts(
  { measures }: Rollup,
  counts: Counts,
  durations: readonly (readonly [Histogram, number | null])[],
): Amount[] {
  const amounts: Amount[] = [];
  for (const [name, count] of Object.entries(counts))
    if (count !== 0) setAmount(amounts, measures.indexOf(name), count);
  for (const [histogram, ms] of durations) {
    if (ms === null) continue;
    const start = measures.indexOf(histogram.measures[0]);
    setAmount(amounts, start, microseconds(ms));
    setAmount(amounts, start + 1 + findBucket(histogram, ms), 1);
  }
  return amounts;
}

function setAmount(amounts: Amount[], index: number, amount: number): void {
  while (amounts.length <= index) amounts.push(0);
  amounts[index] = amount;
}
