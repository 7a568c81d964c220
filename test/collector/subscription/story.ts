/** A story without end: event number n is always the same, so that whoever died in the middle can go on telling it. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { attributed, spendOf } from '../projections/given.ts';
import { exampleEvent } from '../support/events.ts';

const minuteMs = 60_000;

/** Three sessions, spending all the time; whose they are is said every now and then, sometimes for hours ago. */
function storyEvent(number: number): LedgerEvent {
  const session = `s${number % 3}`;
  const at = timeOf(number);
  const common = { number, source: `/producers/p${number % 2}`, subject: session, time: at };
  if (number % 11 === 0) {
    const project = `project ${number % 4}`;
    const billing: Record<string, 'metered' | 'subscription'> = number % 2 === 0 ? { anthropic: 'metered' } : { openai: 'subscription' };
    const attribution = attributed(timeOf(number - (number % 7) * 5), { project, offset: (number % 5) * 45, billing }, session);
    return exampleEvent({ ...common, type: attribution.type, time: attribution.time, data: attribution.data });
  }
  if (number % 5 === 0)
    return exampleEvent({ ...common, type: 'pi.tool.completed.v1', data: { toolName: `tool ${number % 6}`, spend: null } });
  const spend = spendOf({ provider: number % 4 === 0 ? 'openai' : 'anthropic', costNanoUsd: number, inputTokens: number });
  return exampleEvent({ ...common, data: { spend } });
}

export function story(from: number, count: number): LedgerEvent[] {
  return Array.from({ length: count }, (_, index) => storyEvent(from + index));
}

function timeOf(number: number): string {
  return new Date(Date.parse('2026-11-20T00:00:00.000Z') + Math.max(0, number) * 0.4 * minuteMs).toISOString();
}
