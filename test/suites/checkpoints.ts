/** What every implementation of Checkpoints must do (collector/log/checkpoints.ts). */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Checkpoint,
  type Checkpoints,
  stateBytesMax,
} from '../../collector/log/checkpoints.ts';

export interface CheckpointsUnderTest {
  readonly checkpoints: Checkpoints;
  /** Opens the same store again, beside the first, as another process would. */
  openBeside(): Promise<Checkpoints>;
}

export function checkpointsSuite(name: string, open: () => Promise<CheckpointsUnderTest>): void {
  const opened: Checkpoints[] = [];
  const openBoth = async (): Promise<readonly [Checkpoints, Checkpoints]> => {
    const { checkpoints, openBeside } = await open();
    const both = [checkpoints, await openBeside()] as const;
    opened.push(...both);
    return both;
  };

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((checkpoints) => checkpoints.close()));
  });

  describe(`checkpoints: ${name}`, () => {
    it('begin with none', async () => {
      const [checkpoints] = await openBoth();
      expect(await checkpoints.read('traces')).toBeNull();
      expect(await checkpoints.list()).toEqual([]);
    });

    it('move from where they stand, for everybody who has the store open', async () => {
      const [one, other] = await openBoth();
      expect(await one.move('traces', null, 0)).toBe('moved');
      expect((await other.read('traces'))?.position).toBe(0);
      expect(await other.move('traces', 0, 1_000)).toBe('moved');
      expect(await one.move('traces', 1_000, 2 ** 53 - 1)).toBe('moved');
      expect((await other.read('traces'))?.position).toBe(2 ** 53 - 1);
    });

    it('carry a state, which changes with the position or stays', async () => {
      const [one, other] = await openBoth();
      await one.move('traces', null, 1);
      expect(await other.read('traces')).toEqual({ name: 'traces', position: 1, state: null });
      await one.move('traces', 1, 2, 'two');
      await one.move('logs', null, 7, '');
      await other.move('traces', 2, 3);
      expect(await other.read('traces')).toEqual({ name: 'traces', position: 3, state: 'two' });
      expect(await other.move('traces', 2, 9, 'of somebody who is late')).toBe('stale');
      expect(await other.move('logs', null, 9, 'of somebody who is late')).toBe('stale');
      expect(await one.list()).toEqual([
        { name: 'logs', position: 7, state: '' },
        { name: 'traces', position: 3, state: 'two' },
      ]);
    });

    it('refuse a state that is larger than the limit, and take one as large', async () => {
      const [checkpoints] = await openBoth();
      const largest = 'é'.repeat(stateBytesMax / 2);
      await checkpoints.move('traces', null, 1, largest);
      await expect(checkpoints.move('traces', 1, 2, `${largest}.`)).rejects.toThrow(
        `The state of traces is ${stateBytesMax + 1} bytes long: the limit is ${stateBytesMax}.`,
      );
      expect(await checkpoints.read('traces')).toEqual({
        name: 'traces',
        position: 1,
        state: largest,
      });
    });

    it('stay as they are when somebody else was faster', async () => {
      const [one, other] = await openBoth();
      expect(await one.move('traces', 0, 5)).toBe('stale');
      expect(await one.read('traces')).toBeNull();
      await one.move('traces', null, 5);
      expect(await other.move('traces', null, 7)).toBe('stale');
      expect(await other.move('traces', 4, 7)).toBe('stale');
      expect((await one.read('traces'))?.position).toBe(5);
    });

    it('may move to where they stand, and back', async () => {
      const [checkpoints] = await openBoth();
      await checkpoints.move('traces', null, 5);
      expect(await checkpoints.move('traces', 5, 5)).toBe('moved');
      expect(await checkpoints.move('traces', 5, 2)).toBe('moved');
      expect((await checkpoints.read('traces'))?.position).toBe(2);
    });

    it('are gone when they are dropped, and may begin again', async () => {
      const [one, other] = await openBoth();
      await one.move('logs', null, 3);
      await one.move('traces', null, 5);
      await one.drop('traces');
      await one.drop('never there');
      expect(await other.read('traces')).toBeNull();
      expect(await other.move('traces', 5, 6)).toBe('stale');
      expect(await other.move('traces', null, 1)).toBe('moved');
      expect((await one.read('logs'))?.position).toBe(3);
    });

    it('let one of two processes move, each time', async () => {
      const both = await openBoth();
      let moves = 0;
      for (let from: number | null = null; moves < 20; from = moves) {
        const outcomes = await Promise.all(
          both.map((checkpoints) => checkpoints.move('traces', from, moves + 1)),
        );
        expect(outcomes.toSorted()).toEqual(['moved', 'stale']);
        moves += 1;
      }
      expect((await both[0].read('traces'))?.position).toBe(20);
    });

    it('are what a list of names, positions and states is, whatever is asked of them', async () => {
      const [one, other] = await openBoth();
      const names = ['traces', 'Traces', 'a.b', '$set', "o'clock", 'µ', ''];
      const model = new Map<string, Omit<Checkpoint, 'name'>>();
      const position = fc.integer({ min: 0, max: 3 });
      const step = fc.record({
        who: fc.constantFrom(one, other),
        name: fc.constantFrom(...names),
        from: fc.option(position),
        to: position,
        state: fc.option(fc.constantFrom('', '{"runs":[]}', 'µ'), { nil: undefined }),
        isDrop: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      });
      await fc.assert(
        fc.asyncProperty(step, async ({ who, name, from, to, state, isDrop }) => {
          if (isDrop) await who.drop(name);
          else expect(await who.move(name, from, to, state)).toBe(outcomeIn(model, name, from));
          if (isDrop) model.delete(name);
          else if (outcomeIn(model, name, from) === 'moved')
            model.set(name, { position: to, state: state ?? model.get(name)?.state ?? null });
          const expected = [...model]
            .map(([name, checkpoint]) => ({ name, ...checkpoint }))
            .toSorted((a, b) => (a.name < b.name ? -1 : 1));
          expect((await one.list()).map((each) => ({ ...each }))).toEqual(expected);
        }),
        { numRuns: 150 },
      );
    });
  });
}

function outcomeIn(
  model: ReadonlyMap<string, Pick<Checkpoint, 'position'>>,
  name: string,
  from: number | null,
): 'moved' | 'stale' {
  return (model.get(name)?.position ?? null) === from ? 'moved' : 'stale';
}
