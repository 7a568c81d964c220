/** Ledgers to reprice, and the request that does it. */
import { readFileSync } from 'node:fs';
import type { LedgerEvent } from '@pi-ledger/contract';
import { expect } from 'vitest';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { ledgerHomes, post } from '../../support/ledger.ts';

const list = readFileSync(new URL('./price-list.json', import.meta.url), 'utf8');

/** Call it while a test file is loaded. */
export function repricedLedgers() {
  const homes = ledgerHomes();
  return {
    async holding(...events: LedgerEvent[]): Promise<Ledger> {
      const ledger = await homes.open();
      expect((await post(ledger, events)).json()).toMatchObject({ rejected: [] });
      return ledger;
    },
  };
}

export async function reprice(ledger: Ledger, query = '', payload = list) {
  const headers = { 'content-type': 'application/json' };
  const answer = await ledger.app.inject({
    method: 'POST',
    url: `/v1/reprice?${query}`,
    payload,
    headers,
  });
  return { status: answer.statusCode, json: () => JSON.parse(answer.body) };
}
