/** A ledger in its own directory, with its real stores and routes. */
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { type CollectorConfig, loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import { faultOf } from './contract-check.ts';
import { temporaryDirectory } from './directory.ts';

const opened: Ledger[] = [];

/** Call it while a test file is loaded: ledgers are closed after each test. */
export function ledgerHomes(): {
  open(now?: () => number): Promise<Ledger>;
  /** A new ledger that has accepted these events, and folded them. */
  holding(...sessions: readonly (readonly object[])[]): Promise<Ledger>;
  config(): CollectorConfig;
} {
  const directory = temporaryDirectory();
  let homes = 0;
  afterEach(async () => {
    for (const ledger of opened.splice(0)) await ledger.close();
  });
  const config = (): CollectorConfig => {
    homes += 1;
    return loadCollectorConfig({
      PI_LEDGER_HOME: join(directory, String(homes)),
      PI_LEDGER_PORT: '0',
    });
  };
  const open = async (now = testNow): Promise<Ledger> => {
    const ledger = await openLedger(config(), { now });
    opened.push(ledger);
    return ledger;
  };
  const holding = async (...sessions: readonly (readonly object[])[]): Promise<Ledger> => {
    const ledger = await open();
    const events = sessions.flat();
    expect((await post(ledger, events)).json()).toMatchObject({
      accepted: events.length,
      rejected: [],
    });
    await ledger.subscription.catchUp();
    return ledger;
  };
  return { config, open, holding };
}

const testNow = (): number => Date.parse('2026-11-22T12:00:00.000Z');

export const batchType = 'application/cloudevents-batch+json';

/** Checks each answer, good or error, against the contract. */
export async function get(ledger: Ledger, url: string, headers: Record<string, string> = {}) {
  const answer = await ledger.app.inject({ url, headers });
  expect(faultOf('GET', url, answer)).toBeNull();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json: () => JSON.parse(answer.body),
  };
}

export async function post(
  ledger: Ledger,
  body: string | Buffer | object,
  headers: Record<string, string> = {},
) {
  const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const answer = await ledger.app.inject({
    method: 'POST',
    url: '/v1/events',
    payload,
    headers: { 'content-type': batchType, ...headers },
  });
  expect(faultOf('POST', '/v1/events', answer)).toBeNull();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json: () => JSON.parse(answer.body),
  };
}
