import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { addErrorAnswers } from '../../../collector/http/error-answer.ts';
import { isStoreUnreachable } from '../../../collector/stores/registry.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { ledgerHomes } from '../support/ledger.ts';

const directory = temporaryDirectory();
const homes = ledgerHomes();

async function errorOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return null;
}

/** What the driver itself throws. */
async function unreachableServer(): Promise<unknown> {
  const client = new MongoClient('mongodb://127.0.0.1:1/x', { serverSelectionTimeoutMS: 50 });
  const error = await errorOf(() => client.db().collection('c').findOne());
  await client.close();
  return error;
}

async function closedClient(): Promise<unknown> {
  const client = new MongoClient('mongodb://127.0.0.1:1/x', { serverSelectionTimeoutMS: 50 });
  const found = errorOf(() => client.db().collection('c').findOne());
  await client.close();
  return found;
}

async function lockedFile(): Promise<unknown> {
  const [one, other] = [
    new DatabaseSync(`${directory}/locked.db`),
    new DatabaseSync(`${directory}/locked.db`),
  ];
  one.exec('CREATE TABLE t (a); BEGIN EXCLUSIVE');
  const error = await errorOf(() => other.prepare('SELECT * FROM t').all());
  one.close();
  other.close();
  return error;
}

describe('trouble with the store', () => {
  it.each([
    ['a server that is not there', unreachableServer],
    ['a client that is closed meanwhile', closedClient],
    ['a file that is locked', lockedFile],
  ])('%s: 503, with when to come again', async (_, trouble) => {
    const error = await trouble();
    expect(error).toBeInstanceOf(Error);
    const app = Fastify();
    addErrorAnswers(app);
    app.get('/', async () => {
      throw new Error('while it read', { cause: error });
    });
    const answer = await app.inject('/');
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([
      503,
      '5',
      'store_unavailable',
    ]);
    expect(answer.body).not.toContain('127.0.0.1');
  });

  it('is not answered as an internal error', async () => {
    const database = new DatabaseSync(':memory:');
    expect(isStoreUnreachable(await errorOf(() => database.exec('SELEKT')))).toBe(false);
    expect(isStoreUnreachable(new TypeError('x is not a function'))).toBe(false);
    expect(isStoreUnreachable('MongoNetworkError')).toBe(false);
  });
});

it('a price list nested 30,000 deep is refused as invalid', async () => {
  const ledger = await homes.open();
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  for (const payload of [
    `{"p":${deep}}`,
    `{"p":{"models":{"m":{"cost":{"input":${deep},"output":1}}}}}`,
    `{"p":${deep.replaceAll('[', '{"a":[').replaceAll(']', ']}')}}`,
  ]) {
    const answer = await ledger.app.inject({
      method: 'POST',
      url: '/v1/reprice',
      payload,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toMatch(/^.{1,400}$/);
  }
});
