/** Real sockets that send requests before they read the answers. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { addOneAtATime } from '../../../collector/http/one-at-a-time.ts';

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** `/quick` answers at once, `/held` when it is let go; `asked` are those that began. */
async function serve(): Promise<{ port: number; asked: string[]; letGo: () => void }> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const app = Fastify({ forceCloseConnections: true });
  addOneAtATime(app);
  app.get('/:name', async ({ url }) => {
    asked.push(url);
    if (url.startsWith('/held')) await held;
    return url;
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  ends.push(() => app.close());
  return { port: Number(new URL(address).port), asked, letGo };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  ends.push(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const ask = (names: readonly string[]): string =>
  names.map((name) => `GET /${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join('');
const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `quick${n}`);

async function readUntil(socket: Socket, end: string): Promise<string> {
  let text = '';
  for await (const part of socket.setEncoding('utf8')) {
    text += part;
    if (text.endsWith(end)) break;
  }
  return text;
}

describe('requests of one connection', () => {
  it('are answered one after the other, in their order', async () => {
    const { port, asked, letGo } = await serve();
    const socket = await open(port);
    socket.write(ask(['held', ...numbered(128)]));
    const other = await open(port);
    other.write(ask(['other']));
    await readUntil(other, '/other');
    expect(asked).toEqual(['/held', '/other']);
    letGo();
    const answers = await readUntil(socket, '/quick127');
    expect(answers.match(/\/(?:held|quick\d+)/g)).toEqual([
      '/held',
      ...numbered(128).map((name) => `/${name}`),
    ]);
  });

  it('close it if they are too many, and none of them is looked at', async () => {
    const { port, asked } = await serve();
    const socket = await open(port);
    socket.write(ask(['held', ...numbered(129)]));
    await once(socket.resume(), 'close');
    expect(asked).toEqual(['/held']);
  });

  it('are not looked at when their reader has left', async () => {
    const { port, asked, letGo } = await serve();
    const socket = await open(port);
    socket.write(ask(['held', 'quick']));
    await expect.poll(() => asked).toEqual(['/held']);
    socket.destroy();
    await once(socket, 'close');
    letGo();
    const other = await open(port);
    other.write(ask(['other']));
    await readUntil(other, '/other');
    expect(asked).toEqual(['/held', '/other']);
  });

  it('may be many, one after the other', async () => {
    const { port } = await serve();
    const socket = await open(port);
    for (const name of numbered(40)) {
      socket.write(ask([name]));
      const [part] = await once(socket, 'data');
      expect(String(part)).toContain(`/${name}`);
    }
  });
});
