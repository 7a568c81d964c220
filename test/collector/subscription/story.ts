/**
 * An endless story: event number n is always the same, so that a process can continue where another
 * one was killed.
 */
import type { EventTypeName, LedgerEvent } from '@pi-ledger/contract';
import { attributed, spendOf } from '../projections/support/given.ts';
import { exampleEvent } from '../support/events.ts';

const minuteMs = 60_000;

/**
 * Three sessions that spend all the time; attributions follow at intervals, some for hours ago.
 */
function storyEvent(number: number): LedgerEvent {
  const session = `s${number % 3}`;
  const at = timeOf(number);
  const common = { number, source: `/producers/p${number % 2}`, subject: session, time: at };
  if (number % 11 === 0) {
    const project = `project ${number % 4}`;
    const billing: Record<string, 'metered' | 'subscription'> =
      number % 2 === 0 ? { anthropic: 'metered' } : { openai: 'subscription' };
    const attribution = attributed(
      timeOf(number - (number % 7) * 5),
      { project, offset: (number % 5) * 45, billing },
      session,
    );
    return exampleEvent({
      ...common,
      type: attribution.type,
      time: attribution.time,
      data: attribution.data,
    });
  }
  const told = subagentEvent(number);
  if (told !== null) return exampleEvent({ ...common, ...told });
  if (number % 5 === 0)
    return exampleEvent({
      ...common,
      type: 'pi.tool.completed.v1',
      data: { toolName: `tool ${number % 6}`, spend: null },
    });
  const spend = spendOf({
    provider: number % 4 === 0 ? 'openai' : 'anthropic',
    costNanoUsd: number,
    inputTokens: number,
  });
  return exampleEvent({ ...common, data: { spend } });
}

/**
 * Claims of subagents and what the subagents recorded, in either order;
 * beside them estimates, copies, tools that were timed, and
 * compactions.
 */
function subagentEvent(
  number: number,
): { readonly type: EventTypeName; readonly data: object } | null {
  const response = `response:${String(Math.floor(number / 39)).padStart(16, '0')}`;
  const answer = spendOf({ inputTokens: 1_000 + Math.floor(number / 39), costNanoUsd: 70 });
  const agent = `agent:A${number % 9}`;
  const spend = spendOf({ inputTokens: number, costNanoUsd: number });
  const turn = `turn:t${number % 4}`;
  switch (number % 13) {
    case 1:
      return { type: 'pi.subagent.claimed.v1', data: { key: response, claimed: answer } };
    case 4:
      return {
        type: 'pi.subagent.accounted.v1',
        data: { keys: ['turn:t', response], accounted: answer },
      };
    case 6:
      return { type: 'pi.subagent.claimed.v1', data: { key: agent, claimed: spend } };
    case 7:
      return {
        type: 'pi.subagent.accounted.v1',
        data: { keys: [agent, turn].slice(0, 1 + (number % 2)), accounted: spend },
      };
    case 9:
      return {
        type: 'pi.tool.completed.v1',
        data: { turnEntryId: turn.slice('turn:'.length), spend },
      };
    case 10:
      return { type: 'pi.attempt.estimated.v1', data: { tokensMax: number, model: 'sonnet' } };
    case 11:
      return {
        type: 'pi.session.copied.v1',
        data: { copySessionId: `copy ${number % 5}`, entries: number },
      };
    case 2:
      return {
        type: 'pi.context.sampled.v1',
        data: { tokens: number * 100, windowTokens: 200_000, source: 'provider' },
      };
    case 3:
      return { type: 'pi.compaction.completed.v1', data: { tokensBefore: number, spend: null } };
    case 12:
      return { type: 'pi.tool.timed.v1', data: { toolName: `tool ${number % 6}`, durationMs: 7 } };
    default:
      return null;
  }
}

export function story(from: number, count: number): LedgerEvent[] {
  return Array.from({ length: count }, (_, index) => storyEvent(from + index));
}

function timeOf(number: number): string {
  return new Date(
    Date.parse('2026-11-20T00:00:00.000Z') + Math.max(0, number) * 0.4 * minuteMs,
  ).toISOString();
}
