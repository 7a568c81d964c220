/** One attempt to hand a request to an endpoint. */

/**
 * Whose fault it is:
 * - `batch`: the endpoint will never take this content.
 * - `endpoint`: it is set up otherwise than it should be (login, address); the content is kept.
 * - `passing`: it is down, slow or busy; the content is kept.
 */
export type Fault = 'batch' | 'endpoint' | 'passing';

export type Answer =
  | { readonly is: 'taken'; readonly body: Uint8Array }
  | {
      readonly is: 'failed';
      readonly fault: Fault;
      /** One line without secrets. */
      readonly message: string;
      /** As the endpoint asks; null: it does not say. */
      readonly retryAfterMs: number | null;
    };

export interface OtlpTransport {
  /**
   * Rejects only when the signal is aborted, and then at once. Whatever else goes wrong, or takes
   * longer than the configured time, is an answer.
   */
  post(body: Uint8Array, signal: AbortSignal): Promise<Answer>;
  close(): void;
}
