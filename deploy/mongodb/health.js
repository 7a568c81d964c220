/**
 * Run in mongosh as the container's health check: exits with 0 when this server is the primary of its replica set, and makes the set when there is
 * none. While the entrypoint makes the users the server is not yet part of a set, so it does not count as healthy.
 *
 * The password stands in the environment, not on the command line, where other processes could see it.
 */
const admin = db.getSiblingDB('admin');
admin.auth(process.env.MONGO_INITDB_ROOT_USERNAME, process.env.MONGO_INITDB_ROOT_PASSWORD);

const set = { _id: 'ledger', members: [{ _id: 0, host: 'mongodb:27017' }] };
const hasNoSet = admin.hello().isreplicaset === true;
if (hasNoSet) admin.runCommand({ replSetInitiate: set });

const { setName, isWritablePrimary } = admin.hello();
quit(setName === set._id && isWritablePrimary ? 0 : 1);
