import { expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { homeWith } from './homes.ts';

const from = 'ledger@example.com';
const to = ['lead@example.com'];

function read(mail: unknown) {
  const config = loadCollectorConfig({ PI_LEDGER_HOME: homeWith({ mail }) });
  return { mail: config.mail, doubts: config.doubts.join('\n') };
}

it.each([
  ['smtps://mail.example', { host: 'mail.example', port: 465, tls: 'always', login: null }],
  ['smtp://mail.example:2525/', { host: 'mail.example', port: 2525, tls: 'required', login: null }],
  ['smtp://127.0.0.1', { host: '127.0.0.1', port: 587, tls: 'none', login: null }],
  ['smtp://localhost', { host: '127.0.0.1', port: 587, tls: 'none', login: null }],
  ['smtp://[::1]:25', { host: '::1', port: 25, tls: 'none', login: null }],
  [
    'smtps://ledger%40example.com:p%40ss%2F@mail.example:4650',
    {
      ...{ host: 'mail.example', port: 4650, tls: 'always' },
      login: { user: 'ledger@example.com', password: 'p@ss/' },
    },
  ],
])('%s', (server, expected) => {
  expect(read({ server, from, to })).toEqual({
    mail: { server: expected, from, to },
    doubts: '',
  });
});

it('plain text to another machine only where it is allowed; each address once', () => {
  const server = 'smtp://relay.lan:25';
  const { mail, doubts } = read({ server, from, to: [...to, ...to], allowPlain: true });
  expect(mail).toMatchObject({ server: { tls: 'if offered' }, to });
  expect(doubts).toBe('');
});

it('none by default, nor by null', () => {
  expect(loadCollectorConfig({ PI_LEDGER_HOME: homeWith({}) }).mail).toBeNull();
  expect(read(null)).toEqual({ mail: null, doubts: '' });
});

const server = 'smtps://ledger:s3cret@mail.example';

it.each([
  [{ server: 'https://ledger:s3cret@mail.example', from, to }, '"mail.server" in config.json'],
  [{ server: 'smtps://ledger@s3cret.example', from, to }, '"mail.server" in config.json'],
  [{ server: 'smtps://ledger:%s3cret@mail.example', from, to }, '"mail.server" in config.json'],
  [{ server: 'smtps://mail.example/s3cret', from, to }, '"mail.server" in config.json'],
  [{ server: 's3cret', from, to }, '"smtps://user:password@host"'],
  [{ server, to }, '"mail.from" in config.json'],
  [{ server, from: 'Ada <ada@example.com>', to }, 'an address such as'],
  [{ server, from: 'ada@example.com\r\nBcc: s3cret', to }, '"mail.from" in config.json'],
  [{ server, from, to: [] }, '"mail.to" in config.json'],
  [{ server, from, to: 'lead@example.com' }, 'a list of 1 to 10'],
  [{ server, from, to: ['s3cret', null] }, '"mail.to[1]" in config.json'],
  [{ server, from, to, cc: ['s3cret'] }, 'no such key: mail has'],
  [{ server, from, to, allowPlain: 's3cret' }, 'true or false; no e-mail is sent'],
  ['smtps://ledger:s3cret@mail.example', 'an object with "server", "from" and "to"'],
])('%j is left out and named, without what may be secret', (mail, words) => {
  const { mail: taken, doubts } = read(mail);
  expect(taken).toBeNull();
  expect(doubts).toContain(words);
  expect(doubts).not.toContain('s3cret');
});

it('one bad address, or an eleventh, is left out and named: the others are told', () => {
  const ten = Array.from({ length: 10 }, (_, index) => `lead-${index}@example.com`);
  const { mail, doubts } = read({ server, from, to: [...ten.slice(0, 9), 's3cret', 'late@e.org'] });
  expect(mail?.to).toEqual(ten.slice(0, 9));
  expect(doubts).toContain('"mail.to[9]" in config.json');
  expect(doubts).toContain('"mail.to[10]" in config.json');
  expect(doubts).not.toMatch(/s3cret|late|no e-mail is sent/);
});
