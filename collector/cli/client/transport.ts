export interface TransportAnswer {
  readonly status: number;
  readonly body: string;
  /** When a temporary refusal may be retried; null if the answer does not say. */
  readonly retryAfterSeconds: number | null;
  /** The `Link` header, which names the next page of a list in CSV or NDJSON. */
  readonly link: string | null;
}

/** One request, over a socket or in memory. */
export interface ClientTransport {
  /** JSON, unless `contentType` says otherwise. */
  request(
    method: 'GET' | 'POST',
    path: string,
    body?: string,
    contentType?: string,
  ): Promise<TransportAnswer>;
  close(): Promise<void>;
}
