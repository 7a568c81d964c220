import { Type } from 'typebox';
import { defineEventType } from '../event-type.ts';
import { Count, EntryId, Nullable, OptionalText } from '../fields.ts';

/**
 * When the host compacts by itself. Said with a process's first sample and when any of it has
 * changed; absent: as last said.
 */
const ContextLimits = {
  /** False: the host leaves the window to fill up. */
  autoCompaction: Type.Optional(Type.Boolean()),
  /** The host compacts above it: the window less the reserve, or a limit of its own (omp). */
  thresholdTokens: Type.Optional(Nullable(Count)),
  /** As it is in force for this window. */
  reserveTokens: Type.Optional(Count),
  /** About what a compaction keeps word for word. */
  keepRecentTokens: Type.Optional(Count),
  /**
   * `host`: the running host said so; `files`: its settings files say so; `default`: nothing says
   * otherwise.
   */
  limitsSource: Type.Optional(
    Type.Union([Type.Literal('host'), Type.Literal('files'), Type.Literal('default')]),
  ),
};

/** What fills the window before the first message. Said like the limits, where the host tells. */
const ContextFixture = {
  systemPromptChars: Type.Optional(Count),
  /** Of the active tools: their names, descriptions and parameters as JSON. */
  toolDefinitionChars: Type.Optional(Count),
  /** How many tools are active. */
  tools: Type.Optional(Count),
  /** 8 hex of the SHA-256 of their names, sorted: another hash, another set. */
  toolSetHash: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8}$' })),
};

/**
 * How full the context window is: after an answer by the provider's own count, after a compaction
 * by the host's estimate. `source` is `unknown` where the host says nothing (right after a
 * compaction): tokens and percent are then null, not 0.
 */
export const contextSampled = defineEventType({
  type: 'pi.context.sampled.v1',
  basis: 'live',
  data: Type.Object({
    /** The leaf at the time of the sample. */
    entryId: Nullable(EntryId),
    provider: OptionalText,
    model: OptionalText,
    tokens: Nullable(Count),
    windowTokens: Nullable(Count),
    /** 0 to 100, and above when the window is exceeded. */
    percent: Nullable(Type.Number({ minimum: 0 })),
    source: Type.Union([
      Type.Literal('provider'),
      Type.Literal('estimate'),
      Type.Literal('unknown'),
    ]),
    ...ContextLimits,
    ...ContextFixture,
  }),
  example: {
    entryId: '971baa5e',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    tokens: 2157,
    windowTokens: 200_000,
    percent: 1.0785,
    source: 'estimate',
    autoCompaction: true,
    thresholdTokens: 183_616,
    reserveTokens: 16_384,
    keepRecentTokens: 20_000,
    limitsSource: 'default',
    systemPromptChars: 9_800,
    toolDefinitionChars: 5_305,
    tools: 4,
    toolSetHash: '0b5c0d3e',
  },
});
