/** One request, whichever way. */
export interface Transport {
  request(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** The header `Link`, which names the next page of a list that is no JSON. */
  readonly link: string | null;
}
