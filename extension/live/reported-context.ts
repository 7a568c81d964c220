/**
 * What context samples fields last of the host's limits and of what stands before the first message.
 * See context-changes.ts.
 */
import type { EventData } from '@pi-ledger/contract';
import type { CompactionSettings, Limits } from '../host/limits.ts';

export interface ContextPrefix {
  /** The tools' names, as the host lists them. */
  readonly toolNames: string;
  readonly fields: Pick<
    EventData<'pi.context.sampled.v1'>,
    'systemPromptChars' | 'toolDefinitionChars' | 'tools' | 'toolSetHash'
  >;
  /** Of what is fields. */
  readonly json: string;
}

/** What settings come to for a window of some size. */
export interface CurrentLimits {
  readonly settings: CompactionSettings;
  readonly windowTokens: number | null;
  readonly limits: Limits;
  /** Of the limits. */
  readonly json: string;
}

/** As JSON; empty: nothing yet. */
export interface ReportedContext {
  readonly limits: string;
  readonly prefix: string;
}

export const nothingReported: ReportedContext = { limits: '', prefix: '' };
