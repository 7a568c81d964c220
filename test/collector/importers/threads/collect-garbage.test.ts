/** Garbage is collected only when enough was read. */
import { expect, it } from 'vitest';
import { createGarbageCollector } from '../../../../collector/importers/threads/collect-garbage.ts';

it('is collected whenever so much was gathered, of what is large enough to matter', () => {
  let [collected, exposed] = [0, 0];
  const expose = () => {
    exposed += 1;
    return () => {
      collected += 1;
    };
  };
  const tell = createGarbageCollector({ bytesMin: 10, bytesBetween: 100 }, expose);
  const after = (bytes: number) => {
    tell(bytes);
    return [collected, exposed];
  };
  for (let index = 0; index < 50; index += 1) expect(after(9)).toEqual([0, 0]);
  expect([after(10), after(89), after(10), after(90), after(10), after(500)]).toEqual([
    [0, 0],
    [0, 0],
    [1, 1],
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
});

it('is collected by the engine itself', async () => {
  const tell = createGarbageCollector({ bytesMin: 0, bytesBetween: 1 });
  const gone = new WeakRef({ left: 'behind' });
  await new Promise((resolve) => setImmediate(resolve));
  tell(1);
  expect(gone.deref()).toBeUndefined();
});
