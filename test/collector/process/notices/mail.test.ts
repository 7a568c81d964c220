/** Notices of budgets on their way to a real SMTP server. */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import type { MailServer } from '../../../../collector/config/mail.ts';
import { mailTarget, submit } from '../../../../collector/process/notices/mail/target.ts';
import { createNotices } from '../../../../collector/process/notices/subscriber.ts';
import { noticeTargets } from '../../../../collector/process/notices/targets.ts';
import { createCertificate } from '../../../support/certificate.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { crossing, driven } from './support/crossings.ts';
import { password, startMailServer } from './support/mail-server.ts';

const certificate = createCertificate(temporaryDirectory());
const from = 'ledger@example.com';
const to = 'lead@example.com';

function sending(server: MailServer, timeoutMs?: number) {
  return driven((options) => mailTarget({ server, from, to }, options), timeoutMs);
}

it('a crossing arrives once, in words that stand alone', async () => {
  const { at, received } = await startMailServer();
  const mail = sending(at);
  await mail.turn(crossing(1));
  await mail.turn(crossing(1));
  const text =
    'Budget shop is at 80 %, a warning: ≥ $161.20 of $200.00 metered, this month.\n\n' +
    'project shop · 1 Nov 2026 to 30 Nov 2026 · ≥: records without a known amount are left ' +
    'out\n\n`pi-ledger budgets` shows how it stands now.\n';
  expect(received).toEqual([
    {
      ...{ from, to: [to], login: null, isEncrypted: false, host: 'example.com' },
      headers: expect.objectContaining({
        from,
        to,
        subject: 'Budget shop is at 80 %, a warning: ≥ $161.20 of $200.00 metered, this month',
        date: 'Sat, 21 Nov 2026 15:02:12 +0000',
        'message-id': '<01a2073c-26a2-8daf-b11a-000000000001@example.com>',
        'auto-submitted': 'auto-generated',
      }),
      text: text.replaceAll('\n', '\r\n'),
    },
  ]);
  expect(await mail.deliveries()).toMatchObject([
    {
      ...{ to: '...@example.com via 127.0.0.1', format: 'email' },
      ...{ status: 'delivered', detail: 'accepted' },
    },
  ]);
});

it('a crossing has a link to its page, if others can open it', async () => {
  const { at, received } = await startMailServer();
  const pageOf = (budget: string) => `https://ledger.example/budgets?show=${budget}`;
  const mail = driven((options) => mailTarget({ server: at, from, to }, { ...options, pageOf }));
  await mail.turn(crossing(1));
  expect(received[0]?.text).toContain(
    '\r\n\r\nhttps://ledger.example/budgets?show=shop\r\n`pi-ledger budgets` shows how',
  );
});

it('people are told of states that are reached for the first time, upwards', async () => {
  const { at, received } = await startMailServer();
  const mail = sending(at);
  await mail.turn(crossing(1, { from: 'over', to: 'warning', isFirst: false }));
  await mail.turn(crossing(2, { from: 'warning', to: 'ok', isFirst: true }));
  expect(received).toEqual([]);
  expect(mail.state()).toBeNull();
});

it('what cannot be taken now is sent again, as the same message', async () => {
  const { at, received } = await startMailServer({ answer: (n) => (n === 0 ? 451 : 250) });
  const mail = sending(at);
  await mail.turn(crossing(1));
  expect(await mail.deliveries()).toMatchObject([{ status: 'waiting', detail: 'SMTP 451' }]);
  mail.pass(1_000);
  await mail.turn();
  expect(received.map(({ headers }) => headers['message-id'])).toEqual(
    Array(2).fill('<01a2073c-26a2-8daf-b11a-000000000001@example.com>'),
  );
  expect(await mail.deliveries()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
});

it('a message that is refused for good is not sent again, and the next one is tried', async () => {
  const { at, received } = await startMailServer({ answer: (n) => (n === 0 ? 554 : 250) });
  const mail = sending(at);
  await mail.turn(crossing(1), crossing(2));
  expect(received).toHaveLength(2);
  expect(await mail.deliveries()).toMatchObject([
    { status: 'refused', detail: 'SMTP 554' },
    { status: 'delivered' },
  ]);
});

it('an address that is unknown is refused for good', async () => {
  const { at, received } = await startMailServer({ unknown: [to] });
  const mail = sending(at);
  await mail.turn(crossing(1));
  expect(received).toEqual([]);
  expect(await mail.deliveries()).toMatchObject([{ status: 'refused', detail: 'SMTP 550' }]);
});

it('each address is told for itself, whatever becomes of the others and of the server', () => {
  const options = { version: '1', now: Date.now };
  const server: MailServer = { host: 'a.example', port: 465, tls: 'always', login: null };
  const settings = {
    ...{ address: '127.0.0.1', hosts: [], port: 7717, tls: null, url: null, webhooks: [] },
    mail: { server, from, to: [to, 'ada@example.com'] },
  };
  const names = noticeTargets(settings, options).map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
  const mended = { ...settings.mail, server: { ...server, host: 'b.example', port: 4650 } };
  const reversed = { ...settings, mail: { ...mended, to: mended.to.toReversed() } };
  expect(noticeTargets(reversed, options).map(({ name }) => name)).toEqual(names.toReversed());
});

it('is not sent twice while the store cannot keep that it was', async () => {
  const { at, received } = await startMailServer();
  const target = mailTarget(
    { server: at, from, to },
    { version: '1', now: Date.now, pageOf: null },
  );
  const { handle } = createNotices(target, {
    ...{ now: Date.now, random: Math.random, say: () => undefined },
  });
  const batch = { events: [crossing(1)], from: 0, to: 1 };
  const { signal } = new AbortController();
  // Each time the state is the one from before, as after a write that failed.
  await handle(batch, signal, null);
  await expect.poll(() => received.length, { interval: 5 }).toBe(1);
  for (let time = 0; time < 3; time += 1) await handle(batch, signal, null);
  expect(received).toHaveLength(1);
});

it('a login that the server does not ask for is tried, not left out', async () => {
  const { at, received, logins } = await startMailServer({ offersLogin: false, password });
  const mail = sending(at);
  await mail.turn(crossing(1));
  expect({ received, logins }).toEqual({ received: [], logins: [] });
  expect(await mail.deliveries()).toMatchObject([
    {
      status: 'waiting',
      detail: expect.stringMatching(/^SMTP 5\d\d: the login was not accepted$/),
    },
  ]);
});

it('a refused login can be put right: the notice waits', async () => {
  const { at } = await startMailServer({ password: 'another' });
  const mail = sending(at);
  await mail.turn(crossing(1));
  expect(await mail.deliveries()).toMatchObject([
    { status: 'waiting', detail: 'SMTP 535: the login was not accepted' },
  ]);
  const all = [...mail.said, mail.state(), JSON.stringify(await mail.deliveries())].join('\n');
  expect(mail.said).toHaveLength(1);
  for (const secret of [password, 's3cr3t-answer', 'lead@', from])
    expect(all).not.toContain(secret);
});

it.each(['always', 'required'] as const)(
  'nothing is said to a server that nobody vouches for, TLS: %s',
  async (mode) => {
    const tls = { mode, ...certificate };
    const { at, received, logins } = await startMailServer({ tls, password });
    const mail = sending(at);
    await mail.turn(crossing(1));
    expect({ received, logins }).toEqual({ received: [], logins: [] });
    expect(await mail.deliveries()).toMatchObject([
      { status: 'waiting', detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    ]);
  },
);

it.each(['always', 'required'] as const)(
  'a server that is trusted gets it, TLS: %s',
  async (mode) => {
    const authorities = getCACertificates('default');
    setDefaultCACertificates([...authorities, readFileSync(certificate.certPath, 'utf8')]);
    onTestFinished(() => setDefaultCACertificates(authorities));
    const { at, received } = await startMailServer({ tls: { mode, ...certificate }, password });
    await sending(at).turn(crossing(1));
    expect(received).toMatchObject([{ to: [to], login: 'ledger', isEncrypted: true }]);
  },
);

it('nothing is said without the encryption that is asked for', async () => {
  const { at, received, logins } = await startMailServer({ password });
  const mail = sending({ ...at, tls: 'required' });
  await mail.turn(crossing(1));
  expect({ received, logins }).toEqual({ received: [], logins: [] });
  expect(await mail.deliveries()).toMatchObject([
    { status: 'waiting', detail: expect.stringMatching(/^SMTP \d{3}: no STARTTLS$/) },
  ]);
});

it('one that says nothing is left after the timeout; nobody there is named', async () => {
  const { at } = await startMailServer({ isSilent: true });
  const silent = sending(at, 200);
  await silent.turn(crossing(1));
  expect(await silent.deliveries()).toMatchObject([
    { status: 'waiting', detail: 'no answer within 1 s' },
  ]);
  const nobody = sending({ ...at, port: 1 });
  await nobody.turn(crossing(1));
  expect(await nobody.deliveries()).toMatchObject([{ status: 'waiting', detail: 'ECONNREFUSED' }]);
});

it('stops at once when it is told to', async () => {
  const { at, connections } = await startMailServer({ isSilent: true });
  const stopping = new AbortController();
  const sent = submit(
    { server: at, from, to },
    { id: '1', subject: '', text: '' },
    { now: Date.now },
    stopping.signal,
  );
  const stopped = expect(sent).rejects.toThrow('it stops');
  await expect.poll(connections, { interval: 5 }).toBe(1);
  stopping.abort(new Error('it stops'));
  await stopped;
});

it.each([
  ['two\r\nBcc: eve@example.com', 'two\\u000d\\u000aBcc: eve@example.com'],
  ['=?UTF-8?B?4oCu?=', '= ?UTF-8?B?4oCu?='],
  ['a, b; <c@example.com>', 'a, b; <c@example.com>'],
  ['日本 ü', '日本 ü'],
])('what is named %j is a name in the subject, and nothing else', async (budget, shown) => {
  const { at, received } = await startMailServer();
  await sending(at).turn(crossing(1, { budget, project: null, isAtLeast: false }));
  const [message] = received;
  expect(message?.to).toEqual([to]);
  expect(message?.headers).not.toHaveProperty('bcc');
  expect(message?.headers.subject).toContain(`Budget ${shown} is at 80 %`);
  expect(message?.text).toContain(`Budget ${shown.replace('= ?', '=?')} is at 80 %`);
});
