import { Type } from 'typebox';
import { type AnswerOf, NanoUsd, OrNull } from '../fields.ts';
import { compactionExample, compactionFields } from './schema.ts';

export const ContextPart = Type.Object(
  { kind: Type.String(), name: Type.String(), tokens: Type.Integer() },
  { title: 'ContextPart', examples: [{ kind: 'toolResult', name: 'read', tokens: 40_200 }] },
);
export type ContextPart = AnswerOf<typeof ContextPart>;

const Share = Type.Object(
  { messages: Type.Integer(), tokens: Type.Integer(), parts: Type.Array(ContextPart) },
  {
    title: 'CompactionShare',
    examples: [
      { messages: 6, tokens: 18_600, parts: [{ kind: 'assistant', name: '', tokens: 18_600 }] },
    ],
  },
);
export type CompactionShare = AnswerOf<typeof Share>;

const Paths = OrNull(Type.Array(Type.String()), "Relative to the session's directory.");

const Content = Type.Object(
  { text: Type.String(), truncated: Type.Boolean(), redactions: Type.Integer() },
  {
    title: 'CompactionContent',
    examples: [
      { text: 'The cart is done; the checkout is next.', truncated: false, redactions: 0 },
    ],
  },
);
export type CompactionContent = AnswerOf<typeof Content>;
const ContentWhereSent = OrNull(
  Content,
  'Only if the recording machine sends it (`auditContent`).',
);

/** `GET /v1/compactions/{id}` */
export const CompactionDetails = Type.Object(
  {
    ...compactionFields,
    thresholdTokens: OrNull(
      Type.Integer(),
      'The host compacted above this; null: not known, or never automatically.',
    ),
    turnsBefore: OrNull(Type.Integer(), "The session's answers and attempts before it."),
    paidFromTurn: OrNull(
      Type.Integer(),
      'From this answer after it on, it had saved what it cost. Null: it has not yet, or a cost ' +
        'or the price of the saving is not known.',
    ),
    summaryUsage: OrNull(
      Type.Object({
        inputTokens: Type.Integer(),
        cacheReadTokens: Type.Integer(),
        cacheWriteTokens: Type.Integer(),
        outputTokens: Type.Integer(),
      }),
      'Of the summary call; null: not reported.',
    ),
    dropped: OrNull(Share),
    kept: OrNull(Share),
    filesRead: Paths,
    filesModified: Paths,
    regretPaths: Paths,
    cacheMiss: OrNull(
      Type.Object({
        fromTokens: Type.Integer(),
        toTokens: Type.Integer(),
        missedTokens: Type.Integer(),
        costNanoUsd: OrNull(NanoUsd()),
        reason: Type.String(),
      }),
    ),
    net: OrNull(
      Type.Object({
        savedTokens: Type.Integer({ description: 'Saved tokens times the answers after it.' }),
        savedNanoUsd: OrNull(NanoUsd()),
        rereadNanoUsd: OrNull(NanoUsd()),
        netNanoUsd: OrNull(NanoUsd()),
        leavesOut: Type.Array(Type.String(), { description: 'Costs that are unknown.' }),
      }),
    ),
    summary: ContentWhereSent,
    instructions: ContentWhereSent,
  },
  {
    title: 'CompactionDetails',
    examples: [
      {
        ...compactionExample,
        thresholdTokens: 167_000,
        turnsBefore: 61,
        paidFromTurn: 4,
        summaryUsage: {
          inputTokens: 168_200,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          outputTokens: 1_900,
        },
        dropped: {
          messages: 84,
          tokens: 149_000,
          parts: [{ kind: 'toolResult', name: 'read', tokens: 149_000 }],
        },
        kept: {
          messages: 6,
          tokens: 18_600,
          parts: [{ kind: 'assistant', name: '', tokens: 18_600 }],
        },
        filesRead: ['src/cart.ts'],
        filesModified: ['src/cart.ts'],
        regretPaths: ['src/cart.ts'],
        cacheMiss: {
          fromTokens: 160_000,
          toTokens: 0,
          missedTokens: 20_480,
          costNanoUsd: '70656000',
          reason: 'compaction',
        },
        net: {
          savedTokens: 2_068_080,
          savedNanoUsd: '620424000',
          rereadNanoUsd: '8280',
          netNanoUsd: '487660000',
          leavesOut: [],
        },
        summary: null,
        instructions: null,
      },
    ],
  },
);
export type CompactionDetails = AnswerOf<typeof CompactionDetails>;
