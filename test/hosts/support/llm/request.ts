/** One request to the fake LLM server, and what became of it. */
import type { Api, Purpose } from './conversation.ts';
import type { ServedUsage } from './usage.ts';

/**
 * `answered`: sent to its end, with usage. `failed`: an error status. `dropped`: the server
 * destroyed the socket on purpose. `aborted`: the client went away first. `open`: still being
 * answered.
 */
export type Outcome = 'open' | 'answered' | 'failed' | 'dropped' | 'aborted';

export interface FakeRequest {
  /** From 1, in order of arrival. */
  readonly sequence: number;
  readonly path: string;
  readonly api: Api;
  readonly model: string;
  readonly purpose: Purpose;
  /** Empty unless the purpose is `turn`. */
  readonly scenario: string;
  readonly tag: string;
  readonly step: number;
  /** Identical requests before this one. */
  readonly attempt: number;
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly body: unknown;
  readonly outcome: Outcome;
  /**
   * The usage reported so far: an Anthropic answer that is cut off has reported its prompt's
   * tokens.
   */
  readonly usage: ServedUsage | undefined;
}

export type DraftRequest = { -readonly [Key in keyof FakeRequest]: FakeRequest[Key] };
