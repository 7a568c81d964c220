/**
 * Trees of agents, each with or without the extension: whichever of them record themselves, every
 * answer counts exactly once, in its own record or in a claim that nobody accounts for.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventDraft } from '../../../core/record/draft.ts';
import { readEntry } from '../../../core/record/entry.ts';
import type { SubagentParent } from '../../../core/record/entry-draft.ts';
import { advance, rootState } from '../../../core/record/path-state.ts';
import { recordEntry } from '../../../core/record/record-entry.ts';
import { turnKey } from '../../../core/record/subagent.ts';

interface Agent {
  readonly hasExtension: boolean;
  /** The subagents started after each answer but the last. */
  readonly steps: readonly (readonly Agent[])[];
}

/** At most four generations. */
function agents(depth: number): fc.Arbitrary<Agent> {
  const subagents =
    depth === 0 ? fc.constant<Agent[]>([]) : fc.array(agents(depth - 1), { maxLength: 2 });
  return fc.record({ hasExtension: fc.boolean(), steps: fc.array(subagents, { maxLength: 2 }) });
}

const agent = agents(3);

/** Runs a tree like pi's example of a subagent tool, and collects the recorded events. */
function play(root: Agent): { answers: number; events: readonly EventDraft[] } {
  const events: EventDraft[] = [];
  let answers = 0;
  let sessions = 0;

  function run({ hasExtension, steps }: Agent, told: SubagentParent | null): readonly object[] {
    sessions += 1;
    const session = { id: `session-${sessions}`, cwd: null, parent: told };
    const messages: object[] = [];
    let state = rootState;
    const add = (message: object): string => {
      const timestamp = new Date(1_795_000_000_000 + messages.length).toISOString();
      const entry = readEntry({
        type: 'message',
        id: `e${messages.length}`,
        parentId: null,
        timestamp,
        message,
      });
      if (entry === null) throw new Error('not an entry');
      messages.push(message);
      if (hasExtension) events.push(...recordEntry(session, entry, state));
      state = advance(state, entry);
      return entry.id;
    };
    const answer = (): string => {
      answers += 1;
      return add({
        role: 'assistant',
        responseId: `r${answers}`,
        timestamp: answers,
        usage: { input: answers, cost: { total: 1 } },
      });
    };
    for (const [step, subagents] of steps.entries()) {
      // An agent without the extension passes on the environment it received.
      const entryId = answer();
      const turn = hasExtension ? { sessionId: session.id, key: turnKey(entryId) } : told;
      const results = subagents.map((subagent) => ({
        agent: 'worker',
        usage: { input: 0 },
        messages: run(subagent, turn),
      }));
      if (results.length > 0)
        add({
          role: 'toolResult',
          toolCallId: `c${step}`,
          toolName: 'subagent',
          details: { results },
        });
    }
    answer();
    return messages;
  }

  run(root, null);
  return { answers, events };
}

/** How often each answer counts, by its response id. */
function countsOf(events: readonly EventDraft[]): Map<string, number> {
  const counts = new Map<string, number>();
  const claimed = new Set<string>();
  const count = (responseId: string | null) =>
    counts.set(responseId ?? '', (counts.get(responseId ?? '') ?? 0) + 1);
  const isAccounted = (subject: string, key: string) =>
    events.some(
      (event) =>
        event.type === 'pi.subagent.accounted.v1' &&
        event.subject === subject &&
        event.data.keys.includes(key),
    );
  for (const event of events) {
    if (event.type === 'pi.turn.completed.v1') count(event.data.spend.responseId);
    if (event.type !== 'pi.subagent.claimed.v1' || isAccounted(event.subject, event.data.key))
      continue;
    if (!claimed.has(event.subject + event.data.key)) count(event.data.claimed.responseId);
    claimed.add(event.subject + event.data.key);
  }
  return counts;
}

it('count each answer once, if the first agent has the extension', () => {
  fc.assert(
    fc.property(agent, (tree) => {
      const { answers, events } = play({ ...tree, hasExtension: true });
      const expected = Array.from({ length: answers }, (_, index) => [`r${index + 1}`, 1] as const);
      expect(countsOf(events)).toEqual(new Map(expected));
    }),
    { numRuns: 300 },
  );
});

it('without it, count what the agents with the extension saw, once', () => {
  fc.assert(
    fc.property(agent, (tree) => {
      const counts = countsOf(play({ ...tree, hasExtension: false }).events);
      expect([...counts.values()].filter((count) => count !== 1)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
