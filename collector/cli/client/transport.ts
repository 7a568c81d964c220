export interface TransportAnswer {
  readonly status: number;
  readonly body: string;
  /** Of a refusal that is for now only; null where it does not say. */
  readonly retryAfterSeconds: number | null;
  /** The header `Link`, which names the next page of a list that is no JSON. */
  readonly link: string | null;
}

/** One request, whichever way. */
export interface Transport {
  /** JSON, unless `contentType` says otherwise. */
  request(
    method: 'GET' | 'POST',
    path: string,
    body?: string,
    contentType?: string,
  ): Promise<TransportAnswer>;
  close(): Promise<void>;
}
