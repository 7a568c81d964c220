/** A collector process that requires tokens, with the work of several people, to be attacked. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { batchContentType } from '@pi-ledger/contract';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import { readCollectorFile } from '../../../collector/process/collector-file.ts';
import { adas, bobs, moved } from '../../collector/support/two-people.ts';
import type { Attack } from './attacks.ts';
import { hostileWork } from './hostile-text.ts';
import { type CollectorProcess, startProcess } from './process.ts';
import { ask, type WireAnswer } from './wire.ts';

export const callerNames = [
  ...(['machine', 'admin', 'read', 'ingest', 'own', 'shop'] as const),
  ...(['revoked', 'unknown', 'malformed', 'nobody'] as const),
] as const;
export type CallerName = (typeof callerNames)[number];

/** What a token may do by its scopes; limits come on top. */
export const scopesOf: Readonly<Record<CallerName, readonly string[]>> = {
  machine: ['ingest', 'read', 'admin'],
  admin: ['ingest', 'read', 'admin'],
  read: ['read'],
  ingest: ['ingest'],
  ...{ own: ['read'], shop: ['read'] },
  ...{ revoked: [], unknown: [], malformed: [], nobody: [] },
};

const requests: Partial<Record<CallerName, object>> = {
  admin: { user: 'root', scopes: ['admin'] },
  read: { user: 'eve', scopes: ['read'] },
  ingest: { user: 'eve', scopes: ['ingest'] },
  own: { user: 'ada', scopes: ['read'], onlyOwn: true },
  shop: { user: 'eve', scopes: ['read'], projects: ['shop'] },
  revoked: { user: 'eve', scopes: ['admin'] },
};

export interface AttackedCollector {
  readonly url: string;
  readonly home: string;
  readonly process: CollectorProcess;
  /** Empty: none is sent. */
  readonly tokens: Readonly<Record<CallerName, string>>;
  /** The header of a caller, or none. */
  authorization(caller: CallerName): readonly string[];
  /** As the caller, by a request on a connection of its own. */
  attack(attack: Attack): Promise<WireAnswer>;
  isReady(): Promise<boolean>;
  /** Resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** `settings`: of `config.json`. */
export async function startAttacked(
  directory: string,
  settings: object = { requestsPerMinuteMax: 0 },
): Promise<AttackedCollector> {
  const home = join(directory, 'attacked');
  const store = `sqlite:${join(directory, 'attacked.db')}`;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  await createFirstToken({ PI_LEDGER_HOME: home, PI_LEDGER_STORE: store });
  const process = await startProcess({
    ...{ PI_LEDGER_HOME: home, PI_LEDGER_STORE: store, PI_LEDGER_AUTH: 'required' },
  });
  const { url } = process;
  const machine = readCollectorFile(home)?.token ?? '';
  await fill(url, machine);
  const tokens = await createTokens(url, machine);
  const authorization = (caller: CallerName) =>
    tokens[caller] === '' ? [] : [`Authorization: Bearer ${tokens[caller]}`];
  return {
    ...{ url, home, process, tokens, authorization },
    attack: (attack) => ask(url, headOf(attack, authorization(attack.caller)), attack.body ?? ''),
    isReady: async () => (await fetch(`${url}/health/ready`)).status === 200,
    stop: () => process.stop(),
  };
}

function headOf({ method, target, headers, body }: Attack, authorization: readonly string[]) {
  return `${[
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...authorization,
    ...headers,
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
    'Connection: close',
  ].join('\r\n')}\r\n\r\n`;
}

/** Without one, a collector that requires tokens does not start. */
async function createFirstToken(environment: Record<string, string>): Promise<void> {
  const ledger = await openLedger(loadCollectorConfig(environment));
  await ledger.app.inject({
    method: 'POST',
    url: '/v1/tokens',
    headers: { host: 'localhost' },
    payload: { user: 'first', scopes: ['ingest'] },
  });
  await ledger.close();
}

async function fill(url: string, machine: string): Promise<void> {
  const events = [...adas, ...bobs(), ...moved(), ...hostileWork];
  const answer = await post(`${url}/v1/events`, machine, batchContentType, events);
  if (answer.accepted !== events.length) throw new Error(JSON.stringify(answer));
}

async function createTokens(
  url: string,
  machine: string,
): Promise<Readonly<Record<CallerName, string>>> {
  const made: Partial<Record<CallerName, { token: string; id: string }>> = {};
  for (const [name, request] of Object.entries(requests))
    made[name as CallerName] = await post(`${url}/v1/tokens`, machine, 'application/json', request);
  await post(`${url}/v1/tokens/${made.revoked?.id}/revoke`, machine, 'application/json', {});
  const textOf = (name: CallerName): string => made[name]?.token ?? '';
  return {
    ...{ machine, admin: textOf('admin'), read: textOf('read'), ingest: textOf('ingest') },
    ...{ own: textOf('own'), shop: textOf('shop'), revoked: textOf('revoked') },
    unknown: `pil_${'A'.repeat(43)}`,
    malformed: 'pil_',
    nobody: '',
  };
}

async function post<Answer extends { accepted?: number; token: string; id: string }>(
  url: string,
  token: string,
  type: string,
  body: object,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Answer;
}
