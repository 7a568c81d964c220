/**
 * A process of this program that requires tokens, to be attacked: a collector with the work of
 * several people, or a gateway with the tokens of such a ledger.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchContentType } from '@pi-ledger/contract';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import { readCollectorFile } from '../../../collector/process/collector-file.ts';
import { adas, bobs, moved } from '../../../test/collector/support/two-people.ts';
import { createTopics, laneBrokers, settingsFor } from '../../../test/kafka/support.ts';
import type { Attack } from './attacks.ts';
import { hostileWork } from './hostile-text.ts';
import { type CollectorProcess, runProgram, startProcess } from './process.ts';
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

/** The same attacks are made on both. */
export const attackedRoles = ['all', 'gateway'] as const;
export type AttackedRole = (typeof attackedRoles)[number];

export interface AttackedCollector {
  readonly role: AttackedRole;
  readonly url: string;
  readonly home: string;
  readonly process: CollectorProcess;
  /** What it was started with. */
  readonly settings: Readonly<Record<string, string>>;
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

interface AttackedOptions {
  readonly role?: AttackedRole;
  /** Of `config.json`. */
  readonly settings?: object;
  /** Any program on this machine may send and administer. */
  readonly isOpen?: boolean;
  /** The demo's month as well. */
  readonly hasDemo?: boolean;
}

export async function startAttacked(
  directory: string,
  {
    role = 'all',
    settings = { requestsPerMinuteMax: 0 },
    isOpen = false,
    hasDemo = false,
  }: AttackedOptions = {},
): Promise<AttackedCollector> {
  const home = join(directory, role);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  const path = join(home, 'attacked.db');
  if (hasDemo) runProgram(['demo', '--data-only', path, '--until', '2026-11-22']);
  const store = `sqlite:${path}`;
  const auth = isOpen ? 'auto' : 'required';
  const ledger = { PI_LEDGER_HOME: home, PI_LEDGER_STORE: store, PI_LEDGER_AUTH: auth };
  await createFirstToken(ledger);
  const filling = await startProcess(ledger);
  const machine = machineTokenIn(home);
  await fill(filling.url, machine);
  const tokens = await createTokens(filling.url, machine);
  if (role === 'all') return attackedBy({ role, home, settings: ledger, tokens }, filling);
  await filling.stop();
  const gateway = { ...ledger, PI_LEDGER_ROLE: role, PI_LEDGER_KAFKA: await freshTopics() };
  const process = await startProcess(gateway);
  const known = { ...tokens, machine: machineTokenIn(home) };
  const attacked = attackedBy({ role, home, settings: gateway, tokens: known }, process);
  // It answers before it has found its brokers.
  while (!(await attacked.isReady())) await sleep(50);
  return attacked;
}

function attackedBy(
  attacked: Pick<AttackedCollector, 'role' | 'home' | 'settings' | 'tokens'>,
  process: CollectorProcess,
): AttackedCollector {
  const { url } = process;
  const { tokens } = attacked;
  const authorization = (caller: CallerName) =>
    tokens[caller] === '' ? [] : [`Authorization: Bearer ${tokens[caller]}`];
  return {
    ...{ ...attacked, url, process, authorization },
    attack: (attack) => ask(url, headOf(attack, authorization(attack.caller)), attack.body ?? ''),
    isReady: async () => (await fetch(`${url}/health/ready`)).status === 200,
    stop: () => process.stop(),
  };
}

/** Drawn anew at each start. */
function machineTokenIn(home: string): string {
  return readCollectorFile(home)?.token ?? '';
}

/** Of the lane's broker. The address of a gateway's configuration. */
async function freshTopics(): Promise<string> {
  const kafka = settingsFor(laneBrokers());
  await createTopics(kafka);
  return `kafka://${kafka.brokers.join(',')}/${kafka.topicPrefix}`;
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
