/** Notices of budgets on their way to a real SMTP server. */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import type { Mail, MailServer } from '../../../../collector/config/mail.ts';
import { submit } from '../../../../collector/process/notices/mail/submit.ts';
import { mailTarget } from '../../../../collector/process/notices/mail/target.ts';
import { createCertificate } from '../../../support/certificate.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { crossing, driven } from './support/crossings.ts';
import { password, startMailServer } from './support/mail-server.ts';

const certificate = createCertificate(temporaryDirectory());
const from = 'ledger@example.com';
const to = ['lead@example.com', 'ada@example.com'];

function sending(server: MailServer, timeoutMs?: number, receivers = to) {
  return driven((options) => mailTarget({ server, from, to: receivers }, options), timeoutMs);
}

it('a crossing arrives once, at all who are named, in words that stand alone', async () => {
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
      ...{ from, to, login: null, isEncrypted: false },
      headers: expect.objectContaining({
        from,
        to: to.join(', '),
        subject: 'Budget shop is at 80 %, a warning: ≥ $161.20 of $200.00 metered, this month',
        date: 'Sat, 21 Nov 2026 15:02:12 +0000',
        'message-id': '<01a2073c-26a2-8daf-b11a-000000000001@example.com>',
        'auto-submitted': 'auto-generated',
      }),
      text: text.replaceAll('\n', '\r\n'),
    },
  ]);
  expect(await mail.deliveries()).toMatchObject([
    { to: '2 addresses by 127.0.0.1', format: 'email', status: 'delivered', detail: 'taken' },
  ]);
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

it('of several addresses, those that exist get it', async () => {
  const { at, received } = await startMailServer({ unknown: ['lead@example.com'] });
  const mail = sending(at);
  await mail.turn(crossing(1));
  expect(received[0]?.to).toEqual(['ada@example.com']);
  expect(await mail.deliveries()).toMatchObject([
    { status: 'delivered', detail: 'taken for 1 of 2' },
  ]);
  const nobody = sending(at, undefined, ['lead@example.com']);
  await nobody.turn(crossing(1));
  expect(await nobody.deliveries()).toMatchObject([{ status: 'refused', detail: 'SMTP 550' }]);
});

it('a refused login can be put right: the notice waits', async () => {
  const { at } = await startMailServer({ password: 'another' });
  const mail = sending(at);
  await mail.turn(crossing(1));
  expect(await mail.deliveries()).toMatchObject([
    { status: 'waiting', detail: 'SMTP 535: the login is refused' },
  ]);
  const all = [...mail.said, mail.state(), JSON.stringify(await mail.deliveries())].join('\n');
  expect(mail.said).toHaveLength(1);
  for (const secret of [password, 's3cr3t-answer', 'lead@', from])
    expect(all).not.toContain(secret);
});

it.each(['always', 'upgrade'] as const)(
  'nothing is said to a server that nobody vouches for, TLS: %s',
  async (mode) => {
    const { at, received } = await startMailServer({ tls: { mode, ...certificate }, password });
    const mail = sending(at);
    await mail.turn(crossing(1));
    expect(received).toEqual([]);
    expect(await mail.deliveries()).toMatchObject([
      { status: 'waiting', detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    ]);
  },
);

it.each(['always', 'upgrade'] as const)(
  'a server that is trusted gets it, TLS: %s',
  async (mode) => {
    const authorities = getCACertificates('default');
    setDefaultCACertificates([...authorities, readFileSync(certificate.certPath, 'utf8')]);
    onTestFinished(() => setDefaultCACertificates(authorities));
    const { at, received } = await startMailServer({ tls: { mode, ...certificate }, password });
    await sending(at).turn(crossing(1));
    expect(received).toMatchObject([{ to, login: 'ledger', isEncrypted: true }]);
  },
);

it('nothing is said without the encryption that is asked for', async () => {
  const { at, received } = await startMailServer({ password });
  const mail = sending({ ...at, tls: 'upgrade' });
  await mail.turn(crossing(1));
  expect(received).toEqual([]);
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
  const { at } = await startMailServer({ isSilent: true });
  const mail: Mail = { server: at, from, to };
  const stopping = new AbortController();
  const sent = submit(mail, { id: '1', subject: '', text: '' }, { now: Date.now }, stopping.signal);
  stopping.abort(new Error('it stops'));
  await expect(sent).rejects.toThrow('it stops');
});

it.each([
  ['two\r\nBcc: eve@example.com', 'two\\u000d\\u000aBcc: eve@example.com'],
  ['=?UTF-8?Q?shop?=', '=?UTF-8?Q?shop?='],
  ['a, b; <c@example.com>', 'a, b; <c@example.com>'],
  ['日本 ü', '日本 ü'],
])('what is named %j is a name in the subject, and nothing else', async (budget, shown) => {
  const { at, received } = await startMailServer();
  await sending(at).turn(crossing(1, { budget, project: null }));
  const [message] = received;
  if (message === undefined) throw new Error('Nothing arrived.');
  const { headers, text } = message;
  expect(message.to).toEqual(to);
  expect(headers).not.toHaveProperty('bcc');
  expect(text).toContain(`Budget ${shown} is at 80 %`);
  if (!shown.startsWith('=?')) expect(headers.subject).toContain(`Budget ${shown} is at 80 %`);
});
