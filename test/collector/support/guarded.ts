/** A ledger that requires tokens, with its real routes and tokens of every kind. */
import { randomBytes } from 'node:crypto';
import { afterEach } from 'vitest';
import { drawTokenText } from '../../../collector/auth/token-text.ts';
import { openLedger } from '../../../collector/main.ts';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import { ledgerHomes } from './ledger.ts';

interface TokenOptions {
  readonly user?: string;
  readonly scopes: readonly string[];
  readonly onlyOwn?: boolean;
  readonly projects?: readonly string[];
  readonly expiresAt?: string;
}

export interface Guarded {
  readonly ledger: Ledger;
  readonly machineToken: string;
  readonly logged: readonly string[];
  clock: { nowMs: number };
  /** Its text and its id. */
  make(options: TokenOptions): Promise<{ readonly text: string; readonly id: string }>;
  revoke(id: string): Promise<void>;
  ask(request: Asked): Promise<{
    readonly status: number;
    readonly headers: Record<string, unknown>;
    readonly text: string;
  }>;
}

interface Asked {
  readonly url: string;
  readonly method?: string;
  readonly token?: string | undefined;
  readonly body?: object;
  readonly headers?: Record<string, string>;
  /** The sender's address. */
  readonly from?: string | undefined;
}

export const startMs = Date.parse('2026-11-22T12:00:00.000Z');

/**
 * A route's path, with something in the place of each parameter; a stream without an end is asked
 * for wrongly.
 */
export function filled(url: string): string {
  if (url === '/v1/live') return `${url}?after=x`;
  return url.replace(':projection', 'sessions').replace(/:\w+/g, 'x');
}

/** Call it while a test file is read. */
export function guardedLedgers(): { open(settings?: object): Promise<Guarded> } {
  const homes = ledgerHomes();
  const opened: Ledger[] = [];
  afterEach(async () => {
    for (const ledger of opened.splice(0)) await ledger.close();
  });
  return {
    async open(settings = {}) {
      const machineToken = drawTokenText(randomBytes);
      const clock = { nowMs: startMs };
      const logged: string[] = [];
      const logStream = { write: (line: string) => void logged.push(line) };
      const config = { ...homes.config(), auth: 'required' as const, ...settings };
      const ledger = await openLedger(config, { machineToken, logStream, now: () => clock.nowMs });
      opened.push(ledger);
      return guard(ledger, machineToken, clock, logged);
    },
  };
}

function guard(
  ledger: Ledger,
  machineToken: string,
  clock: { nowMs: number },
  logged: readonly string[],
): Guarded {
  const ask: Guarded['ask'] = async ({
    url,
    method = 'GET',
    token,
    body,
    headers = {},
    from = '10.0.0.1',
  }) => {
    const isEvents = url.startsWith('/v1/events');
    const answer = await ledger.app.inject({
      method: method as 'GET',
      url,
      remoteAddress: from,
      headers: {
        host: 'localhost',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined
          ? {}
          : {
              'content-type': isEvents ? 'application/cloudevents-batch+json' : 'application/json',
            }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, headers: answer.headers, text: answer.body };
  };
  const manage = async (url: string, body: object): Promise<Record<string, string>> => {
    const answer = await ask({ method: 'POST', url, token: machineToken, body });
    if (answer.status !== 200) throw new Error(answer.text);
    return JSON.parse(answer.text);
  };
  return {
    ledger,
    machineToken,
    logged,
    clock,
    ask,
    async make(options) {
      const { token = '', id = '' } = await manage('/v1/tokens', { user: 'ada', ...options });
      return { text: token, id };
    },
    async revoke(id) {
      await manage(`/v1/tokens/${id}/revoke`, {});
    },
  };
}
