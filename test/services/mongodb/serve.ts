/**
 * A server for manual use: `node test/services/mongodb/serve.ts` prints its address and runs until
 * the process ends (Ctrl-C or kill).
 */
import { findServer } from './find-server.ts';

const found = await findServer(process.env);
if (found.kind === 'none') throw new Error(found.reason);
const { name, uri, stop } = found.server;
console.log(uri);
console.error(`${name}; Ctrl-C ends it`);
const keepAlive = setInterval(() => undefined, 60_000);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    clearInterval(keepAlive);
    void stop();
  });
}
