/** One request, whichever way. */
export interface Transport {
  request(method: 'GET' | 'POST', path: string, body?: string): Promise<{ readonly status: number; readonly body: string }>;
  close(): Promise<void>;
}
