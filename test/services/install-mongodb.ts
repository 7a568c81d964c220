/**
 * Builds the MongoDB-compatible server of the lane `mongodb` into the cache folder of the tests, if
 * it is missing and can be built here.
 */
import { ensureLocalServer, serverName, whyNoLocalServer } from './mongodb/local-server.ts';

const why = whyNoLocalServer(process.env);
if (why === null) {
  ensureLocalServer(process.env);
  console.log(serverName);
} else console.log(`No MongoDB-compatible server is built here: ${why}.`);
