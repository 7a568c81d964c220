/**
 * Builds the MongoDB-compatible server of the lane `mongodb` into the cache folder of the tests, if
 * it is missing and can be built here.
 */
import { ensureLocalServer, isLocalServerPossible, serverName } from './mongodb/local-server.ts';

if (isLocalServerPossible()) {
  ensureLocalServer(process.env);
  console.log(serverName);
} else console.log('No MongoDB-compatible server is built here: that needs Linux and root.');
