import { expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { homeWith } from './homes.ts';

const secret = secretOf(24);

function secretOf(bytes: number): string {
  return `whsec_${Buffer.alloc(bytes, 's3cret').toString('base64')}`;
}

function read(...webhooks: readonly unknown[]) {
  const config = loadCollectorConfig({ PI_LEDGER_HOME: homeWith({ webhooks }) });
  const read = config.webhooks.map(({ url, ...rest }) => ({ url: url.href, ...rest }));
  return { read, doubts: config.doubts.join('\n') };
}

it('are read with or without a secret; http only on this machine, or where it is allowed', () => {
  const webhooks = [
    { url: 'https://hooks.slack.com/services/T0/B0/x', format: 'slack' },
    { url: 'http://127.0.0.1:9000/a', format: 'json', secret },
    { url: 'http://[::1]:9000/a', format: 'json' },
    { url: 'http://ops.lan/a', format: 'json', allowHttp: true },
  ];
  expect(read(...webhooks)).toEqual({
    read: webhooks.map(({ url, format, secret: own = null }) => ({ url, format, secret: own })),
    doubts: '',
  });
});

it.each([
  [{ url: 'http://ops.lan/s3cret', format: 'json' }, '"webhooks[0].url" in config.json'],
  [{ url: 'ftp://ops.lan/s3cret', format: 'json' }, 'expected an https address'],
  [{ url: 'https://ada:s3cret@ops.lan/', format: 'json' }, 'without user, password'],
  [{ url: 's3cret', format: 'json' }, 'expected an https address'],
  [{ url: 'https://ops.lan/s3cret', format: 'xml' }, '"slack" or "json"'],
  [{ url: 'https://ops.lan/s3cret' }, '"webhooks[0].format" in config.json'],
  [{ url: 'https://ops.lan/', format: 'json', secret: 's3cret' }, '16 to 500 visible ASCII'],
  [{ url: 'https://ops.lan/', format: 'json', hmac: 's3cret' }, 'no such key: a webhook has'],
  [{ url: 'https://ops.lan/', format: 'json', allowHttp: 's3' }, 'true or false'],
  ['https://ops.lan/s3cret', 'an object with "url" and "format"'],
])('%j is left out and named, without what may be secret', (webhook, words) => {
  const good = { url: 'https://ops.lan/good', format: 'slack' };
  const { read: taken, doubts } = read(webhook, good);
  expect(taken).toEqual([{ ...good, secret: null }]);
  expect(doubts).toContain(words);
  expect(doubts).not.toContain('s3cret');
});

it.each([
  'whsec_s3cret-is-no-base64-at-all!',
  'whsec_!!!!!!!!!!!!!!!!!!!!!!!!!!!!',
  secretOf(23),
  secretOf(65),
  secretOf(25).replaceAll('=', ''),
  `${secretOf(24)}\n`,
])('%j would be another key than it says, or too short a one', (wrong) => {
  const { read: taken, doubts } = read({ url: 'https://ops.lan/', format: 'json', secret: wrong });
  expect(taken).toEqual([]);
  expect(doubts).toContain('"webhooks[0].secret" in config.json');
  expect(doubts).toContain('Base64 (with its padding) of 24 to 64 bytes');
  expect(doubts).not.toContain(wrong.slice('whsec_'.length, 20));
});

it.each([24, 25, 64])('a secret of %i bytes is taken', (bytes) => {
  const webhook = { url: 'https://ops.lan/', format: 'json', secret: secretOf(bytes) };
  expect(read(webhook).read).toEqual([webhook]);
});

it('are ten: the first hold, and the others are named, without their addresses', () => {
  const many = Array.from({ length: 12 }, (_, index) => `https://s3cret-${index}.example/`);
  const { read: found, doubts } = read(...many.map((url) => ({ url, format: 'json' })));
  expect(found.map(({ url }) => url)).toEqual(many.slice(0, 10));
  expect(doubts).toContain('"webhooks[10]" in config.json');
  expect(doubts).toContain('"webhooks[11]" in config.json');
  expect(doubts).not.toContain('s3cret');
});

it('one address is told once', () => {
  const one = { url: 'https://ops.lan/', format: 'json' };
  const { read: taken, doubts } = read(one, { ...one, format: 'slack' });
  expect(taken).toHaveLength(1);
  expect(doubts).toContain('an address that no other webhook has');
});
