/**
 * A subagent: a session of its own. The parent's tool result repeats what it spent, and both sides
 * name it by keys, so that it counts once.
 */
import type { Spend } from '@pi-ledger/contract';
import type { DemoAnswered } from './answers.ts';
import { type Call, completeTool } from './tools.ts';
import { type DemoWork, hostOf } from './work.ts';

export interface DemoSubagent {
  readonly name: string;
  readonly work: DemoWork;
  readonly answers: readonly DemoAnswered[];
}

export const subagentNames = ['Scout', 'Tester', 'Reviewer'] as const;

export function subagentTool(work: DemoWork): string {
  return hostOf(work).isOmp ? 'task' : 'subagent';
}

/** Records the parent's side, once the subagent is done. */
export function reportSubagent(parent: DemoWork, { name, work, answers }: DemoSubagent): Call {
  const { recorder } = parent;
  const turnEntryId = recorder.leaf;
  const { isOmp } = hostOf(parent);
  const toolCallId = `call_${recorder.random.hex(8)}`;
  const keyed = answers.map((answered) => {
    const response = `response:${recorder.random.hex(16)}`;
    return { ...answered, keys: isOmp ? [`agent:${name}`] : [`turn:${turnEntryId}`, response] };
  });
  const durationMs = work.recorder.nowMs - recorder.nowMs;
  for (const { entryId, spend, keys } of keyed) {
    work.recorder.entry(
      'pi.subagent.accounted.v1',
      {
        childSessionId: work.recorder.id,
        childEntryId: entryId,
        keys,
        accounted: toFigures(spend),
      },
      recorder.id,
    );
  }
  recorder.nowMs = work.recorder.nowMs;
  const call = { toolName: subagentTool(parent), paths: [] };
  const entryId = completeTool(parent, {
    ...call,
    toolCallId,
    textChars: recorder.random.between(400, 3_000),
    isError: answers.length === 0,
    durationMs,
  });
  const claim = (key: string, claimed: Spend) =>
    recorder.entry('pi.subagent.claimed.v1', {
      entryId,
      turnEntryId,
      toolCallId,
      agentName: name,
      key,
      claimed,
    });
  const [first] = answers;
  const spends = answers.map(({ spend }) => spend);
  if (!isOmp) for (const { keys, spend } of keyed) claim(keys[1] ?? '', spend);
  else if (first !== undefined) claim(`agent:${name}`, sumSpend(first.spend, spends));
  return call;
}

function toFigures(spend: Spend) {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = spend;
  const { reasoningTokens, reported, costNanoUsd } = spend;
  const tokens = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
  return { ...tokens, reasoningTokens, reported, costNanoUsd };
}

/** What omp's task result says of a subagent: one sum. */
function sumSpend(first: Spend, spends: readonly Spend[]): Spend {
  const sum = (of: (spend: Spend) => number | null) =>
    spends.reduce((total, spend) => total + (of(spend) ?? 0), 0);
  return {
    ...first,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    reasoningTokens: sum(({ reasoningTokens }) => reasoningTokens),
    costNanoUsd: first.costNanoUsd === null ? null : sum(({ costNanoUsd }) => costNanoUsd),
    rawUsage: {},
  };
}
