/**
 * One sender's sessions, each with names that no other has: of its provider's model, tool, agent,
 * label and branch.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { exampleSpend } from '../../../contract/spend.ts';
import { type EventOptions, exampleEvent } from './events.ts';

export interface Names {
  /** What every name, and every session, begins with. */
  readonly prefix: string;
  readonly count: number;
  /** Of the first event's id; the others follow. */
  readonly firstNumber: number;
  readonly user?: string;
  readonly project?: string;
  readonly nanoUsd?: (index: number) => number;
}

export const eventsPerName = 6;

export function* sessionsOfNames(names: Names): Generator<readonly LedgerEvent[]> {
  for (let index = 0; index < names.count; index += 1) yield sessionOf(names, index);
}

function sessionOf(names: Names, index: number): readonly LedgerEvent[] {
  const { prefix, firstNumber, user = 'ada', project = 'shop' } = names;
  const nanoUsd = names.nanoUsd?.(index) ?? 1_000 + index;
  const name = `${prefix}${String(index).padStart(5, '0')}`;
  const spend = { ...exampleSpend, provider: 'anthropic', model: name, costNanoUsd: nanoUsd };
  let made = 0;
  const event = (type: EventOptions['type'] & string, data: object): LedgerEvent => {
    const sequence = made + 1;
    const number = firstNumber + index * eventsPerName + made;
    made += 1;
    const time = `2026-11-2${index % 2}T0${index % 9}:00:0${made}.000Z`;
    const place = { subject: `session-${name}`, source: `/producers/${name}` };
    return exampleEvent({ ...place, number, type, sequence, time, data });
  };
  return [
    event('pi.session.attributed.v1', {
      user,
      project: { name: project, remote: null, branch: name, worktree: null },
      agent: { kind: 'main', name },
    }),
    event('pi.session.labelled.v1', { labels: { ticket: name }, whole: true }),
    event('pi.turn.completed.v1', { spend, entryId: 'turn', toolCalls: { [name]: 1 } }),
    event('pi.tool.completed.v1', { entryId: 'tool', turnEntryId: 'turn', toolName: name }),
    event('pi.run.completed.v1', { toolCalls: { [name]: 1 } }),
    event('pi.turn.completed.v1', {
      ...{ spend: { ...spend, reported: false, costNanoUsd: null }, entryId: 'failed' },
      ...{ stopReason: 'error', errorStatus: 529, toolCalls: {} },
    }),
  ];
}
