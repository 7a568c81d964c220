/**
 * A session of this many turns as a load: prompts, answers that fill a window, two reads each,
 * samples of the live host, and compactions.
 */
import type { EventTypeName, LedgerEvent } from '@pi-ledger/contract';
import { eventTypes } from '../../../contract/index.ts';

export const session = '01a1fff4-fb9f-729f-bd85-4800508591d8';

const startMs = Date.parse('2026-11-01T08:00:00.000Z');
const turnMs = 12_000;
const turnsPerPrompt = 10;
const turnsPerCompaction = 200;
const windowTokens = 200_000;

export interface Load {
  /** The events of one more turn, as often as called. */
  turn(): readonly LedgerEvent[];
}

/** Each turn continues where the previous one ended. */
export function createLoad(): Load {
  let [events, turns, nowMs] = [0, 0, startMs];
  let leaf: string | null = null;
  let prompt: string | null = null;

  function event<Name extends EventTypeName>(type: Name, data: object): LedgerEvent {
    events += 1;
    const example = eventTypes.find((each) => each.type === type)?.example ?? {};
    const at = nowMs + (events % 10);
    const hex = at.toString(16).padStart(12, '0');
    const number = events.toString(16).padStart(12, '0');
    const id = `${hex.slice(0, 8)}-${hex.slice(8)}-8000-8000-${number}`;
    const place = {
      specversion: '1.0',
      id,
      source: '/importers/bench',
      type,
      time: new Date(at).toISOString(),
      subject: session,
    };
    return { ...place, data: { ...example, ...data } } as unknown as LedgerEvent;
  }

  function entry<Name extends EventTypeName>(type: Name, kind: string, data: object): LedgerEvent {
    const id = `${kind}${turns}`;
    const made = event(type, { entryId: id, parentEntryId: leaf, promptEntryId: prompt, ...data });
    leaf = id;
    return made;
  }

  const sizes = (textChars: number) => ({
    textChars,
    thinkingChars: 0,
    toolCallChars: 0,
    otherChars: 0,
    images: 0,
  });

  return {
    turn() {
      turns += 1;
      nowMs += turnMs;
      const made: LedgerEvent[] = [];
      const filled = turns % turnsPerCompaction;
      if (turns % turnsPerPrompt === 1) {
        made.push(entry('pi.prompt.submitted.v1', 'u', { sizes: sizes(300) }));
        prompt = leaf;
      }
      const tokens = {
        inputTokens: 40,
        outputTokens: 300,
        cacheReadTokens: 12_000 + filled * 800,
        cacheWriteTokens: 800,
      };
      const example = eventTypes.find(({ type }) => type === 'pi.turn.completed.v1')?.example as {
        spend: object;
      };
      made.push(
        entry('pi.turn.completed.v1', 't', {
          sizes: sizes(900),
          spend: { ...example.spend, ...tokens, costNanoUsd: 9_000_000 },
        }),
      );
      const turnEntryId = leaf;
      for (const tool of ['a', 'b']) {
        const paths = [`src/${tool}${turns % 300}.ts`];
        made.push(
          entry('pi.tool.completed.v1', tool, {
            toolName: 'read',
            turnEntryId,
            paths,
            spend: null,
            sizes: sizes(1_500),
          }),
        );
      }
      made.push(
        event('pi.context.sampled.v1', {
          entryId: turnEntryId,
          tokens: 1,
          windowTokens,
          source: 'provider',
          limitsSource: undefined,
        }),
      );
      if (filled === 0) {
        const firstKeptEntryId = turnEntryId;
        made.push(
          entry('pi.compaction.completed.v1', 'c', {
            tokensBefore: 172_000,
            firstKeptEntryId,
            sizes: sizes(4_000),
          }),
        );
      }
      return made;
    },
  };
}
