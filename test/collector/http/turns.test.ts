import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createTurns, type TurnReader } from '../../../collector/http/turns.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();

interface SomeReader extends TurnReader {
  readonly answer: EventEmitter;
  readonly door: { destroyed: boolean; writableEnded: boolean };
}

function reader(who = 'ada'): SomeReader {
  return { who, answer: new EventEmitter(), door: { destroyed: false, writableEnded: false } };
}

it('lets so many make their answer at once, and the others in their order', async () => {
  const turns = createTurns(2);
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const asked = [0, 1, 2, 3, 4].map(async (number) => {
    const end = await turns.take(reader());
    began.push(number);
    if (end !== null) ends.push(end);
  });
  await Promise.all(asked.slice(0, 2));
  expect(began).toEqual([0, 1]);
  for (const [ended, all] of [
    [0, 3],
    [1, 4],
    [2, 5],
  ] as const) {
    ends[ended]?.();
    await asked[all - 1];
    expect(began).toHaveLength(all);
  }
  expect(began).toEqual([0, 1, 2, 3, 4]);
});

it('calls first who has the fewest answers made, however many another one asked for', async () => {
  const turns = createTurns(2);
  const ends = await Promise.all([turns.take(reader('eve')), turns.take(reader('eve'))]);
  const began: string[] = [];
  const asked = ['eve', 'eve', 'eve', 'ada', 'ada', 'bob'].map(async (who) => {
    const end = await turns.take(reader(who));
    began.push(who);
    return end;
  });
  ends[0]?.();
  (await asked[3])?.();
  (await asked[4])?.();
  (await asked[5])?.();
  ends[1]?.();
  for (const each of asked.slice(0, 3)) (await each)?.();
  expect(began).toEqual(['ada', 'ada', 'bob', 'eve', 'eve', 'eve']);
});

it('has no turn for who leaves meanwhile, and goes on with who stays', async () => {
  const turns = createTurns(1);
  const end = await turns.take(reader());
  const [closed, ended, stays] = [reader(), reader(), reader()];
  const [ofClosed, ofEnded, ofStays] = [closed, ended, stays].map((each) => turns.take(each));
  closed.answer.emit('close');
  expect(await ofClosed).toBeNull();
  ended.door.writableEnded = true;
  end?.();
  expect(await ofEnded).toBeNull();
  expect(await ofStays).toBeTypeOf('function');
  for (const { answer } of [closed, ended, stays]) expect(answer.listenerCount('close')).toBe(0);
});

it('makes nothing for readers who left while another answer held up the process', async () => {
  const [begun, flag] = [join(directory, 'begun'), join(directory, 'go-on')];
  const program = fileURLToPath(new URL('turns-program.ts', import.meta.url));
  const server = fork(program, [begun, flag], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  try {
    const [line] = await once(server.stdout as NodeJS.ReadableStream, 'data');
    const url = new URL(String(line).trim());
    const first = fetch(new URL('/answer', url));
    await expect.poll(() => existsSync(begun)).toBe(true);
    await Promise.all(Array.from({ length: 100 }, () => askAndLeave(Number(url.port))));
    writeFileSync(flag, '');
    expect((await first).status).toBe(200);
    const answer = await fetch(new URL('/made', url));
    expect(await answer.json()).toEqual({ made: 1 });
  } finally {
    server.kill();
  }
});

/** Resolves when the system has the request and the connection's end. */
async function askAndLeave(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end('GET /answer HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(socket, 'finish');
  socket.destroy();
  await once(socket, 'close');
}
