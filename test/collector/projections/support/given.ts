/**
 * Events with just the fields that a test is about; the rest comes from the contract's examples.
 */
import type { EventData, EventTypeName, LedgerEvent, Spend } from '@pi-ledger/contract';
import type { StoredEvent } from '../../../../collector/log/stored-event.ts';
import type { SessionLimits } from '../../../../collector/projections/session/fold-event.ts';
import { exampleEvent } from '../../support/events.ts';

let events = 0;

interface Place {
  readonly at: string;
  readonly session?: string;
  readonly source?: string;
}

export function event<Name extends EventTypeName>(
  type: Name,
  { at, session = 's1', source = '/producers/p1' }: Place,
  data: Partial<EventData<Name>> = {},
): LedgerEvent {
  events += 1;
  return exampleEvent({ number: events, type, time: at, subject: session, source, data });
}

/** `high` and `toolUse` by default, as in the contract's example. */
export type Answered = Partial<
  Pick<EventData<'pi.turn.completed.v1'>, 'thinkingLevel' | 'stopReason'>
>;

export function turn(
  at: string,
  spend: Partial<Spend> = {},
  session = 's1',
  answered: Answered = {},
): LedgerEvent {
  return event('pi.turn.completed.v1', { at, session }, { spend: spendOf(spend), ...answered });
}

/** One input token and one nano-dollar by default. */
export function spendOf(spend: Partial<Spend>): Spend {
  return {
    provider: 'anthropic',
    api: null,
    model: 'sonnet',
    responseModel: null,
    responseId: null,
    inputTokens: 1,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: null,
    cacheWrite1hTokens: null,
    reported: true,
    costNanoUsd: 1,
    costSource: 'catalog',
    rawUsage: {},
    ...spend,
  };
}

export interface AttributionWish {
  readonly basis?: 'live' | 'import';
  readonly project?: string;
  readonly branch?: string | null;
  readonly user?: string;
  readonly offset?: number;
  readonly billing?: Record<string, 'metered' | 'subscription'>;
  readonly host?: 'pi' | 'omp';
  readonly agent?: EventData<'pi.session.attributed.v1'>['agent'];
}

export function attributed(at: string, wish: AttributionWish = {}, session = 's1'): LedgerEvent {
  const {
    basis = 'live',
    project = 'shop',
    branch = 'main',
    user = 'ada',
    offset = 0,
    billing = { anthropic: 'metered' },
    host = 'pi',
    agent = { kind: 'main', name: null },
  } = wish;
  return event(
    'pi.session.attributed.v1',
    { at, session },
    {
      basis,
      project: { name: project, remote: null, branch, worktree: null },
      user,
      machine: `${user}'s`,
      utcOffsetMinutes: offset,
      billing,
      host: { name: host, version: '1.0.0' },
      agent,
    },
  );
}

export const limitsWide: SessionLimits = {
  attributionsMax: 1_000,
  cellsMax: 5_000,
  longCellsMax: 16_000,
  toolNamesMax: 200,
  claimsMax: 10_000,
  copiesMax: 1_000,
};

/** The events as the log would hold them. */
export function stored(given: readonly LedgerEvent[]): StoredEvent[] {
  return given.map((each, index) => ({
    position: index + 1,
    receivedAtMs: 1_795_300_000_000 + index,
    event: each,
  }));
}
