/**
 * Run by the image's entrypoint in mongosh, once, on an empty volume: the collector's own user. It may read and write its database, and nothing else.
 * `db` is that database (MONGO_INITDB_DATABASE).
 */
if (!process.env.MONGODB_PASSWORD) throw new Error('MONGODB_PASSWORD is not set');

db.createUser({
  user: 'pi_ledger',
  pwd: process.env.MONGODB_PASSWORD,
  roles: [{ role: 'readWrite', db: db.getName() }],
});
