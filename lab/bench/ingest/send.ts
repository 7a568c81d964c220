/**
 * Sends batches over keep-alive connections, each next one after the acknowledgement of the last.
 */
import { Agent, request } from 'node:http';
import { type Ack, batchContentType } from '@pi-ledger/contract';

export interface Batch {
  readonly body: Buffer;
  readonly events: number;
}

export interface SendOptions {
  readonly url: string;
  readonly connections: number;
  readonly gzip: boolean;
}

export interface Sender {
  /** Rejects unless it is answered with 200. */
  send(body: Buffer): Promise<Ack>;
  close(): void;
}

/** Rejects unless every event is accepted as new. */
export async function sendBatches(batches: readonly Batch[], options: SendOptions): Promise<void> {
  await sendAll(batches, options, ({ accepted }, { events }) => {
    if (accepted !== events)
      throw new Error(`the collector accepted ${accepted} of ${events} events`);
  });
}

/** Rejects when one is not answered with 200. */
export async function sendAll(
  batches: readonly Batch[],
  options: SendOptions,
  answered: (ack: Ack, batch: Batch) => void,
): Promise<void> {
  const sender = openSender(options);
  let next = 0;
  const sendOwn = async () => {
    for (let batch = batches[next++]; batch !== undefined; batch = batches[next++])
      answered(await sender.send(batch.body), batch);
  };
  try {
    await Promise.all(Array.from({ length: options.connections }, sendOwn));
  } finally {
    sender.close();
  }
}

export function openSender({ url, connections, gzip }: SendOptions): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = {
    'content-type': batchContentType,
    ...(gzip ? { 'content-encoding': 'gzip' } : {}),
  };
  return {
    send: (body) =>
      post(
        `${url}/v1/events`,
        { agent, headers: { ...headers, 'content-length': body.length } },
        body,
      ),
    close: () => agent.destroy(),
  };
}

function post(
  url: string,
  options: { agent: Agent; headers: Record<string, string | number> },
  body: Buffer,
): Promise<Ack> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, method: 'POST' }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(JSON.parse(text) as Ack);
        else
          reject(new Error(`the collector answered ${answer.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    sent.once('error', reject).end(body);
  });
}
