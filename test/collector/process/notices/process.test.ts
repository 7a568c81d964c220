/** A collector that sends notices, as a process and by commands: what a dead endpoint touches. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { main } from '../../../../collector/cli/main.ts';
import { createCertificate } from '../../../support/certificate.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvents } from '../../support/events.ts';
import { batchType } from '../../support/ledger.ts';
import { crossing } from './support/crossings.ts';
import { startEndpoint, statuses } from './support/endpoint.ts';
import { password, startMailServer } from './support/mail-server.ts';

const directory = temporaryDirectory();
const bin = join(import.meta.dirname, '../../../../collector/bin/pi-ledger.mjs');
const running: ChildProcess[] = [];
let homes = 0;

afterEach(async () => {
  for (const child of running.splice(0)) await end(child, 'SIGKILL');
});

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

const homeOf = (url: URL) => homeWith({ webhooks: [{ url: url.href, format: 'json' }] });

function homeWith(settings: object): Record<string, string> {
  homes += 1;
  const home = join(directory, String(homes));
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  return { PI_LEDGER_HOME: home, PI_LEDGER_PORT: '0', PI_LEDGER_IMPORT: '0', HOME: directory };
}

async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [bin, 'start'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  running.push(child);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await expect.poll(() => said, { interval: 10 }).toMatch(/http:\S+/);
  const url = /http:\S+/.exec(said)?.[0] ?? '';
  // What was there before is not sent.
  await expect.poll(() => positionOf(url), { interval: 20 }).not.toBeNull();
  return { child, url };
}

interface Health {
  readonly subscribers: readonly { readonly name: string; readonly position: number | null }[];
}

async function positionOf(url: string): Promise<number | null> {
  const { subscribers }: Health = await (await fetch(`${url}/health/ready`)).json();
  return subscribers.find(({ name }) => /^(webhook|mail)-/.test(name))?.position ?? null;
}

type Env = Readonly<Record<string, string>>;

/** What a ledger says of itself is taken with a token only. */
async function append(env: Env, url: string, events: readonly object[]): Promise<void> {
  const made = await run(
    { ...env },
    'token',
    'create',
    '--user',
    'ada',
    '--scope',
    'admin',
    '--json',
  );
  const authorization = `Bearer ${JSON.parse(made.printed).token}`;
  await send(`${url}/v1/log`, events, { authorization });
}

async function send(url: string, events: readonly object[], more: Env = {}): Promise<void> {
  const headers = { 'content-type': batchType, ...more };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(events) });
  expect(await answer.json()).toMatchObject({ rejected: [] });
}

async function run(env: Record<string, string>, ...argv: string[]) {
  const printed: string[] = [];
  const code = await main(argv, {
    env,
    columns: null,
    colour: false,
    now: () => new Date(),
    print: (line) => printed.push(line),
    complain: (line) => printed.push(line),
  });
  return { code, printed: printed.join('\n') };
}

it('a kill between the answer and the checkpoint: it comes again, with the same id', async () => {
  let collector: ChildProcess | null = null;
  const { url, received } = await startEndpoint((response, n) => {
    if (n === 0) collector?.kill('SIGKILL');
    else response.writeHead(200).end();
  });
  const env = homeOf(url);
  const first = await start(env);
  collector = first.child;
  const died = once(first.child, 'exit');
  await append(env, first.url, [crossing(1).event]);
  await died;
  expect(received).toHaveLength(1);
  await start(env);
  await expect.poll(() => received.length, { interval: 20 }).toBe(2);
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([crossing(1).event.id, crossing(1).event.id]);
  expect(received[1]?.body).toBe(received[0]?.body);
  await expect
    .poll(async () => (await run(env, 'budgets', 'deliveries')).printed, { interval: 50 })
    .toContain('delivered');
});

const ninety = Array.from({ length: 90 }, (_, index) =>
  crossing(index + 1, { budget: `budget-${index + 1}`, isFirst: true }),
);
const idsOfNinety = ninety.map(({ event }) => String(event.id)).toSorted();

it('90 at once and a kill in the middle: all arrive, and one perhaps twice', async () => {
  let collector: ChildProcess | null = null;
  const { url, received } = await startEndpoint((response, n) => {
    if (n === 30) collector?.kill('SIGKILL');
    else response.writeHead(200).end();
  });
  const env = homeOf(url);
  const first = await start(env);
  collector = first.child;
  const died = once(first.child, 'exit');
  const events = ninety.map(({ event }) => event);
  await append(env, first.url, events);
  await died;
  expect(received.length).toBeLessThan(90);
  await start(env);
  const ids = () => received.map(({ headers }) => String(headers['webhook-id']));
  await expect.poll(() => new Set(ids()).size, { interval: 20 }).toBe(90);
  expect([...new Set(ids())].toSorted()).toEqual(idsOfNinety);
  await expect
    .poll(async () => (await run(env, 'budgets', 'deliveries')).code, { interval: 50 })
    .toBe(0);
  expect(received.length).toBe(91);
});

it('doctor, health and the list name each of 90 that a webhook refused', async () => {
  const { url } = await startEndpoint(statuses(410));
  const env = homeOf(url);
  const { url: collector } = await start(env);
  await append(
    env,
    collector,
    ninety.map(({ event }) => event),
  );
  const rows = async (): Promise<readonly { budget: string; status: string }[]> =>
    JSON.parse((await run(env, 'budgets', 'deliveries', '--json')).printed).rows;
  const names = ninety.map((_, index) => `budget-${index + 1}`).toSorted();
  await expect
    .poll(async () => (await rows()).filter(({ status }) => status === 'refused').length, {
      interval: 50,
    })
    .toBe(90);
  expect((await rows()).map(({ budget }) => budget).toSorted()).toEqual(names);
  const { printed } = await run(env, 'doctor');
  expect(printed).toContain('90 notices of budgets did not arrive');
  const { warnings } = await (await fetch(`${collector}/health/ready`)).json();
  for (const said of [printed, warnings.join('\n')])
    expect(names.filter((name) => !new RegExp(`\\b${name} warning\\b`).test(said))).toEqual([]);
});

it('a dead endpoint touches neither ingest nor views; doctor and the log say it', async () => {
  const { url } = await startEndpoint(statuses(503));
  const env = homeOf(url);
  const { url: collector } = await start(env);
  await append(env, collector, [crossing(1).event]);
  const deliveries = async () =>
    JSON.parse((await run(env, 'budgets', 'deliveries', '--json')).printed);
  await expect
    .poll(async () => (await deliveries()).rows[0]?.detail, { interval: 50 })
    .toBe('HTTP 503');
  await send(`${collector}/v1/events`, exampleEvents(2, 20));
  const { views } = await (await fetch(`${collector}/v1/standing`)).json();
  expect(views.filter(({ isBehind }: { isBehind: boolean }) => isBehind)).toEqual([]);
  const { printed } = await run(env, 'doctor');
  expect(printed).toMatch(
    /notices\s+BAD\s+0 notices of budgets did not arrive, 1 wait \(shop warning\): HTTP 503/,
  );
  const all = `${printed}${JSON.stringify(await deliveries())}`;
  expect(all).not.toContain('s3cr3t-path');
});

it('a test message says whether a webhook works, without a collector', async () => {
  const { url, received } = await startEndpoint(statuses(200, 404));
  const env = homeOf(url);
  expect(await run(env, 'budgets', 'test-notices')).toEqual({
    code: 0,
    printed: `${url.origin}/...: delivered, HTTP 200`,
  });
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'test' });
  expect(await run(env, 'budgets', 'test-notices')).toMatchObject({ code: 1 });
});

it('e-mail arrives, encrypted', async () => {
  const certificate = createCertificate(directory);
  const tls = { mode: 'always', ...certificate } as const;
  const { at, received } = await startMailServer({ tls, password });
  const server = `smtps://ledger:${encodeURIComponent(password)}@127.0.0.1:${at.port}`;
  const mail = { server, from: 'ledger@example.com', to: ['lead@example.com'] };
  const env = { ...homeWith({ mail }), NODE_EXTRA_CA_CERTS: certificate.certPath };
  const { url } = await start(env);
  await append(env, url, [crossing(1).event]);
  await expect.poll(() => received.length, { interval: 20 }).toBe(1);
  expect(received[0]).toMatchObject({ isEncrypted: true, login: 'ledger' });
  expect(received[0]?.headers.subject).toContain('Budget shop is at 80 %');
  await expect
    .poll(async () => (await run(env, 'budgets', 'deliveries', '--wide')).printed, { interval: 50 })
    .toMatch(/delivered +1 +accepted +\.\.\.@example\.com via 127\.0\.0\.1/);
});

it('a test message goes to each address; what is wrong in the settings is said', async () => {
  const { at, received } = await startMailServer();
  const { url } = await startEndpoint(statuses(200));
  const webhooks = [{ url: url.href, format: 'json' }];
  const to = ['lead@example.com', 'ada@example.net'];
  const mail = { server: `smtp://localhost:${at.port}`, from: 'ledger@example.com', to };
  const right = await run(homeWith({ mail }), 'budgets', 'test-notices');
  expect(right).toEqual({
    code: 0,
    printed:
      '...@example.com via 127.0.0.1: delivered, accepted\n' +
      '...@example.net via 127.0.0.1: delivered, accepted',
  });
  expect(received.map(({ headers }) => headers.subject)).toEqual(
    Array(2).fill('A test by pi-ledger'),
  );
  const wrong = { ...mail, from: 'nobody' };
  const { code, printed } = await run(
    homeWith({ webhooks, mail: wrong }),
    ...['budgets', 'test-notices'],
  );
  expect(code).toBe(1);
  expect(printed).toContain('"mail.from" in config.json');
  expect(printed).toContain('no e-mail is sent');
  expect(printed).toContain(`${url.origin}/...: delivered`);
});
