/**
 * A server whose first answer holds up everything in its process, as a store's long query does,
 * until a file is there; it makes another when it begins. `GET /made`: how many answers were made.
 */
import { existsSync, writeFileSync } from 'node:fs';
import Fastify from 'fastify';
import { addTurns, createTurns } from '../../../collector/http/turns.ts';

const [begun = '', flag = ''] = process.argv.slice(2);
const app = Fastify({ forceCloseConnections: true });
let made = 0;
app.get('/made', () => ({ made }));
await app.register(async (inTurn) => {
  addTurns(inTurn, createTurns(6));
  inTurn.get('/answer', async () => {
    made += 1;
    writeFileSync(begun, '');
    while (!existsSync(flag));
    return {};
  });
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
