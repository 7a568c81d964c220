/**
 * What context samples last reported about the host's limits and about what precedes the first
 * message. See context-changes.ts.
 */
import type { EventData } from '@pi-ledger/contract';
import type { CompactionSettings, Limits } from '../host/limits.ts';

export interface ContextPrefix {
  /** The tools' names in the host's order. */
  readonly toolNames: string;
  readonly fields: Pick<
    EventData<'pi.context.sampled.v1'>,
    'systemPromptChars' | 'toolDefinitionChars' | 'tools' | 'toolSetHash'
  >;
  /** It is `fields` as JSON. */
  readonly json: string;
}

/** The limits that settings give for a window of some size. */
export interface CurrentLimits {
  readonly settings: CompactionSettings;
  readonly windowTokens: number | null;
  readonly limits: Limits;
  /** It is `limits` as JSON. */
  readonly json: string;
}

/** As JSON; empty before the first report. */
export interface ReportedContext {
  readonly limits: string;
  readonly prefix: string;
}

export const nothingReported: ReportedContext = { limits: '', prefix: '' };
