import { describe, expect, it } from 'vitest';
import { followLive } from '../../../../dashboards/web/api/live.ts';

/** A stream of these pieces, then its end. */
function streaming(...pieces: readonly string[]): Response {
  return new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    }),
  );
}

/** Follows until all of these were opened. */
async function followed(opened: readonly (Response | Error)[]) {
  const heard: string[] = [];
  const positions: [position: string, isNew: boolean][] = [];
  const afters: (string | null)[] = [];
  const rest = [...opened];
  const ending = new AbortController();
  await followLive(
    {
      client: {
        async openLive(after) {
          afters.push(after);
          const next = rest.shift();
          if (next instanceof Error || next === undefined) throw next ?? new Error('over');
          return next;
        },
      },
      onChange: () => heard.push('change'),
      onPosition: (position, isNew) => positions.push([position, isNew]),
      onConnected: (isConnected) => heard.push(isConnected ? 'connected' : 'gone'),
      async wait(ms) {
        heard.push(`waits ${ms}`);
        if (rest.length === 0) ending.abort();
      },
    },
    ending.signal,
  );
  return { heard, afters, positions };
}

describe('the stream', () => {
  it('tells a change for each new position, however its lines are cut', async () => {
    const { heard, positions } = await followed([
      streaming('{"posi', 'tion":7}\n{"position":7}\n\n{"posit', 'ion":9}\n'),
    ]);
    expect(heard).toEqual(['connected', 'change', 'change', 'gone', 'waits 5000']);
    expect(positions).toEqual([
      ['7', false],
      ['9', true],
    ]);
  });

  it('goes on where it was after its end, and when nobody answers', async () => {
    const { heard, afters } = await followed([
      streaming('{"position":7}\n'),
      new Error('refused'),
      streaming('{"position":8}\n'),
    ]);
    expect(afters).toEqual([null, '7', '7']);
    expect(heard).toEqual([
      ...['connected', 'change', 'gone', 'waits 5000'],
      ...['gone', 'waits 5000'],
      ...['connected', 'change', 'gone', 'waits 5000'],
    ]);
  });

  it('may have missed something whenever it opens, at the same position too', async () => {
    const { heard, positions } = await followed([
      streaming('{"position":7}\n{"position":7}\n'),
      streaming('{"position":7}\n{"position":7}\n'),
    ]);
    const once = ['connected', 'change', 'gone', 'waits 5000'];
    expect(heard).toEqual([...once, ...once]);
    expect(positions).toEqual([['7', false]]);
  });

  it.each([401, 403, 429])(
    'is asked for now and then where it is refused with %s',
    async (status) => {
      const { heard } = await followed([
        new Response(null, { status }),
        new Response(null, { status }),
      ]);
      expect(heard).toEqual(['waits 15000', 'change', 'waits 15000']);
    },
  );
});
