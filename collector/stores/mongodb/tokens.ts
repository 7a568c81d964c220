/**
 * Tokens in MongoDB: the collection `tokens`, one document each. Any process may write it, with or
 * without the lease: each change affects one document, and none depends on the log.
 */
import { Binary, type Collection, type Db, MongoServerError } from 'mongodb';
import { hashesNamed } from '../../auth/token-text.ts';
import {
  type ReadLimit,
  type StoredToken,
  type TokenRegistry,
  type TokenScope,
  tokensMax,
} from '../../auth/tokens.ts';

interface TokenDocument {
  readonly _id: string;
  /** SHA-256 of the token's text. */
  readonly hash: Binary;
  readonly user: string;
  readonly scopes: readonly TokenScope[];
  readonly reading: ReadLimit;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

const collectionName = 'tokens';

/** Contract: the database is migrated. The connection is the caller's, who closes it. */
export function openMongodbTokens(database: Db): TokenRegistry {
  const tokens = collectionIn(database);
  return {
    async create(token) {
      if ((await tokens.countDocuments({})) >= tokensMax) return 'full';
      try {
        await tokens.insertOne(toDocument(token));
        return 'created';
      } catch (error) {
        if (error instanceof MongoServerError && error.code === duplicateKey) return 'known';
        throw error;
      }
    },
    async list() {
      const found = await tokens
        .find({}, { sort: { createdAt: 1, _id: 1 }, limit: tokensMax })
        .toArray();
      return found.map(toToken);
    },
    async revoke(id, atMs) {
      await tokens.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: new Date(atMs) } });
      return tokenOf(await tokens.findOne({ _id: id }));
    },
    async find(hash) {
      return tokenOf(await tokens.findOne({ hash: new Binary(hash) }));
    },
    async findNamed(name) {
      const { first, last } = hashesNamed(name);
      return tokenOf(
        await tokens.findOne({ hash: { $gte: new Binary(first), $lte: new Binary(last) } }),
      );
    },
    close: async () => undefined,
  };
}

const duplicateKey = 11_000;

function collectionIn(database: Db): Collection<TokenDocument> {
  return database.collection<TokenDocument>(collectionName);
}

function toDocument({
  id,
  hash,
  createdAtMs,
  expiresAtMs,
  revokedAtMs,
  ...rest
}: StoredToken): TokenDocument {
  return {
    _id: id,
    hash: new Binary(hash),
    ...rest,
    createdAt: new Date(createdAtMs),
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs),
    revokedAt: revokedAtMs === null ? null : new Date(revokedAtMs),
  };
}

function tokenOf(document: TokenDocument | null): StoredToken | null {
  return document === null ? null : toToken(document);
}

/** Copied field by field: documents may contain additional fields. */
function toToken({
  _id,
  hash,
  user,
  scopes,
  reading,
  note,
  createdAt,
  expiresAt,
  revokedAt,
}: TokenDocument): StoredToken {
  return {
    id: _id,
    hash: hash.buffer,
    user,
    scopes,
    reading,
    note,
    createdAtMs: createdAt.getTime(),
    expiresAtMs: expiresAt?.getTime() ?? null,
    revokedAtMs: revokedAt?.getTime() ?? null,
  };
}
