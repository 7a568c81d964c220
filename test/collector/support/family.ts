/** Sessions with parents, each with one answer. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { exampleSpend } from '../../../contract/spend.ts';
import { exampleEvent } from './events.ts';

export interface FamilyOptions {
  readonly id: string;
  readonly parent?: string | null;
  readonly agent?: 'main' | 'subagent';
  readonly agentName?: string;
  readonly at?: string;
  readonly nanoUsd?: number;
  readonly project?: string;
  readonly user?: string;
}

let number = 500_000;

export function memberEvents(options: FamilyOptions): LedgerEvent[] {
  const {
    id,
    parent = null,
    agent = 'main',
    agentName = null,
    at = '2026-11-20T08:00:00.000Z',
    nanoUsd = 1_000,
  } = options;
  const { project = 'shop', user = 'ada' } = options;
  number += 2;
  const place = { subject: id, source: `/producers/${id}`, time: at };
  const attribution = {
    project: { name: project, remote: null, branch: 'main', worktree: null },
    user,
    utcOffsetMinutes: 0,
    billing: { anthropic: 'metered' },
    agent: { kind: agent, name: agentName },
    parentSessionId: parent,
  };
  return [
    exampleEvent({
      ...place,
      number,
      sequence: 1,
      type: 'pi.session.attributed.v1',
      data: attribution,
    }),
    exampleEvent({
      ...place,
      number: number + 1,
      sequence: 2,
      data: { spend: { ...exampleSpend, costNanoUsd: nanoUsd } },
    }),
  ];
}
