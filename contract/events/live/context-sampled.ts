import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, EntryId, Nullable, OptionalText } from '../../fields.ts';

/**
 * When the host compacts automatically. Reported with a process's first sample and after a change;
 * absent: unchanged.
 */
const ContextLimits = {
  /** False: the host lets the window fill up. */
  autoCompaction: Type.Optional(Type.Boolean()),
  /** The host compacts above this: the window minus the reserve, or a separate limit (omp). */
  thresholdTokens: Type.Optional(Nullable(Count)),
  /** As it applies to this window. */
  reserveTokens: Type.Optional(Count),
  /** Approximately what a compaction keeps verbatim. */
  keepRecentTokens: Type.Optional(Count),
  /**
   * `host`: reported by the running host; `files`: from its settings files; `default`: not set
   * anywhere.
   */
  limitsSource: Type.Optional(
    Type.Union([Type.Literal('host'), Type.Literal('files'), Type.Literal('default')]),
  ),
};

/**
 * What fills the window before the first message. Reported like the limits, if the host provides
 * it.
 */
const ContextPrefix = {
  systemPromptChars: Type.Optional(Count),
  /** Characters of the active tools: names, descriptions and parameters as JSON. */
  toolDefinitionChars: Type.Optional(Count),
  /** How many tools are active. */
  tools: Type.Optional(Count),
  /** 8 hex digits of the SHA-256 of their sorted names: another hash, another set. */
  toolSetHash: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8}$' })),
};

/**
 * How full the context window is: after an answer by the provider's own count, after a compaction
 * by the host's estimate. `source` is `unknown` if the host gives no number (right after a
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
    /** 0 to 100, or more if the window is exceeded. */
    percent: Nullable(Type.Number({ minimum: 0 })),
    source: Type.Union([
      Type.Literal('provider'),
      Type.Literal('estimate'),
      Type.Literal('unknown'),
    ]),
    ...ContextLimits,
    ...ContextPrefix,
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
