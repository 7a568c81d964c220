/**
 * What context samples said last of the host's limits and of what stands before the first message.
 * See context-news.ts.
 */
import type { EventData } from '@pi-ledger/contract';
import type { CompactionSettings, Limits } from '../host/limits.ts';

export interface ContextFixture {
  /** The tools' names, as the host lists them. */
  readonly toolNames: string;
  readonly said: Pick<
    EventData<'pi.context.sampled.v1'>,
    'systemPromptChars' | 'toolDefinitionChars' | 'tools' | 'toolSetHash'
  >;
  /** Of what is said. */
  readonly json: string;
}

/** What settings come to for a window of some size. */
export interface LimitsInForce {
  readonly settings: CompactionSettings;
  readonly windowTokens: number | null;
  readonly limits: Limits;
  /** Of the limits. */
  readonly json: string;
}

/** As JSON; empty: nothing yet. */
export interface SaidContext {
  readonly limits: string;
  readonly fixture: string;
}

export const nothingSaid: SaidContext = { limits: '', fixture: '' };
