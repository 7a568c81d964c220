/** An OTLP/HTTP endpoint in a process of its own: takes everything, and prints its address. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().once('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
