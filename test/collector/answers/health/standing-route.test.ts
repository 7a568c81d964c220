/** What `GET /v1/standing` says to whom. */
import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { routes } from '../../../../collector/answers/health/standing-route.ts';
import { drawTokenText, hashToken } from '../../../../collector/auth/token-text.ts';
import type { StoredToken } from '../../../../collector/auth/tokens.ts';
import { addAccess } from '../../../../collector/http/access.ts';

const standing = {
  trouble: 'The disk /var/ledger is full.',
  problem: 'An event of ada.',
  views: [{ projection: 'sessions', isBehind: false, behindSince: null, setAside: 12 }],
  importing: null,
  leftOut: { files: 0, count: 0 },
};

async function askAs(minimumUsers: number, token: Pick<StoredToken, 'scopes' | 'reading'>) {
  const text = drawTokenText(randomBytes);
  const rest = { id: '0123456789ab', user: 'boss', note: null, createdAtMs: 0 };
  const times = { expiresAtMs: null, revokedAtMs: null };
  const stored = { ...rest, ...times, ...token, hash: hashToken(text) };
  const app = Fastify();
  await addAccess(app, {
    ...{ mode: 'tokens', machineToken: null, hosts: [], requestsPerMinuteMax: 0, minimumUsers },
    tokens: { find: async () => stored, findNamed: async () => null },
    readHomeKey: async () => null,
    now: () => 0,
  });
  await app.register(routes({ readStanding: async () => standing, readCommand: null }));
  const headers = { authorization: `Bearer ${text}` };
  return (await app.inject({ url: '/v1/standing', headers })).json();
}

it('tells details to whoever may read everything, and only to them', async () => {
  const everything = { scopes: ['read'], reading: { is: 'none' } } as const;
  expect(await askAs(0, everything)).toEqual(standing);
  expect(await askAs(3, { ...everything, scopes: ['admin'] })).toEqual(standing);
  const limited = {
    ...{ trouble: 'The store is in trouble.', problem: null },
    views: [{ setAside: 1 }],
  };
  expect(await askAs(3, everything)).toMatchObject(limited);
  expect(await askAs(0, { ...everything, reading: { is: 'own' } })).toMatchObject(limited);
});
