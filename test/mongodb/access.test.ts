/** Tokens and limited readers, with everything in MongoDB. */
import { describe, expect, it } from 'vitest';
import { mongodb } from '../../collector/stores/mongodb/driver.ts';
import { type Guarded, guardedLedgers } from '../collector/support/guarded.ts';
import { adas, answers, bobs, moved, offer } from '../collector/support/two-people.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';

const databases = laneDatabases();
const guarded = guardedLedgers();

async function inMongodb(uri = databases.uri()): Promise<Guarded> {
  return guarded.open({ store: { driver: mongodb, address: uri } });
}

describe('a collector on MongoDB', () => {
  it('accepts tokens and refuses revoked ones, through any collector', async () => {
    const uri = databases.uri();
    const [one, other] = [await inMongodb(uri), await inMongodb(uri)];
    const { text, id } = await one.make({ scopes: ['read'] });
    // The second one stands by: it answers all the same, and may manage tokens.
    for (const each of [one, other]) {
      expect((await each.ask({ url: '/v1/usage' })).status).toBe(401);
      expect((await each.ask({ url: '/v1/usage', token: text })).status).toBe(200);
    }
    await other.revoke(id);
    for (const each of [one, other])
      expect((await each.ask({ url: '/v1/usage', token: text })).status).toBe(401);
  });

  it.each([
    ['only its own', { scopes: ['read'], onlyOwn: true }],
    ['only some projects', { scopes: ['read'], projects: ['shop', 'blog-of-ada'] }],
    ['everything', { scopes: ['read'] }],
  ])('tells a token that reads %s what one on SQLite tells it', async (_name, wish) => {
    const told: (readonly string[])[] = [];
    for (const subject of [await inMongodb(), await guarded.open()]) {
      await offer(subject, [...adas, ...bobs(), ...moved()]);
      told.push(await answers(subject, (await subject.make({ user: 'ada', ...wish })).text));
    }
    expect(told[0]).toEqual(told[1]);
  });
});
