/** Agents: the extension's own transport proves and sends each batch, to gateways by turns. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { createTransport } from '../../../extension/shipping/transport.ts';
import type { Chain } from './chain.ts';

const attemptsMax = 20;

/** Like a shipper, it sends a batch again until it is acknowledged. */
export function createSending({ gateways, token, countJson }: Chain) {
  const transports = gateways.map((url) =>
    createTransport({ url, isUrlNamed: true, token, home: '/nonexistent', nowMs: Date.now }),
  );
  let turn = 0;
  return async (events: readonly LedgerEvent[]): Promise<void> => {
    const lines = events.map((event) => JSON.stringify(event));
    countJson(lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0));
    for (let attempt = 1; ; attempt += 1) {
      turn += 1;
      const result = await transports[turn % transports.length]?.send(lines);
      if (result?.state === 'acked') return;
      if (attempt === attemptsMax) throw new Error(`not acknowledged: ${JSON.stringify(result)}`);
    }
  };
}
