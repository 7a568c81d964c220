import {
  answer,
  append,
  contextOf,
  newSession,
  toolCall,
  toolResult,
  usage,
  userSays,
} from '../../support/fake-session.ts';
import { newMachine, startProcess } from '../../support/ledger-machine.ts';

export const spent = (input: number, output = 0) => ({
  ...usage(input),
  cacheRead: 0,
  output,
  totalTokens: input + output,
});
export const small = {
  model: { provider: 'anthropic', id: 'claude', contextWindow: 20_000 },
  getContextUsage: () => ({ tokens: null, contextWindow: 20_000, percent: null }),
};

export function drive() {
  const machine = newMachine();
  const session = newSession('s1', machine.nowMs);
  const process = startProcess(machine);
  const attachment = { sessionId: null };
  const ctx = () => contextOf(session, small);
  const fire = (trigger: Parameters<typeof process.recorder.handle>[0], event: object = {}) =>
    process.recorder.handle(trigger, event, ctx(), attachment);
  const add = (id: string, body: Record<string, unknown>) =>
    append(session, id, machine.nowMs, body);
  const state = () => process.recorder.sessions()[0] ?? null;
  const fill = () => {
    add('e1', userSays('x'.repeat(4_000)));
    add(
      'e2',
      answer('r1', {
        content: [{ type: 'text', text: 'y'.repeat(2_000) }, toolCall('t1', 'read')],
        usage: spent(1_200, 500),
      }),
    );
    add('e3', toolResult('t1', 'read'));
    add(
      'e4',
      answer('r2', {
        content: [{ type: 'text', text: 'z'.repeat(400) }],
        usage: spent(3_000, 100),
      }),
    );
    fire('turn_end');
  };
  const compact = (id: string, body: Record<string, unknown> = {}) => {
    fire('session_before_compact', { reason: 'manual' });
    machine.nowMs += 2_500;
    add(id, {
      type: 'compaction',
      summary: 's'.repeat(800),
      firstKeptEntryId: 'e4',
      tokensBefore: 3_100,
      ...body,
    });
    fire('session_compact', { reason: 'manual', compactionEntry: { id } });
  };
  fire('session_start', { reason: 'startup' });
  return { machine, session, ctx, fire, add, state, fill, compact };
}
