/** What every implementation of Checkpoints must do (collector/log/checkpoints.ts). */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Checkpoints } from '../../collector/log/checkpoints.ts';

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
      expect(await other.read('traces')).toBe(0);
      expect(await other.move('traces', 0, 1_000)).toBe('moved');
      expect(await one.move('traces', 1_000, 2 ** 53 - 1)).toBe('moved');
      expect(await other.read('traces')).toBe(2 ** 53 - 1);
    });

    it('stay as they are when somebody else was faster', async () => {
      const [one, other] = await openBoth();
      expect(await one.move('traces', 0, 5)).toBe('stale');
      expect(await one.read('traces')).toBeNull();
      await one.move('traces', null, 5);
      expect(await other.move('traces', null, 7)).toBe('stale');
      expect(await other.move('traces', 4, 7)).toBe('stale');
      expect(await one.read('traces')).toBe(5);
    });

    it('may move to where they stand, and back', async () => {
      const [checkpoints] = await openBoth();
      await checkpoints.move('traces', null, 5);
      expect(await checkpoints.move('traces', 5, 5)).toBe('moved');
      expect(await checkpoints.move('traces', 5, 2)).toBe('moved');
      expect(await checkpoints.read('traces')).toBe(2);
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
      expect(await one.read('logs')).toBe(3);
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
      expect(await both[0].read('traces')).toBe(20);
    });

    it('are what a list of names and positions is, whatever is asked of them', async () => {
      const [one, other] = await openBoth();
      const names = ['traces', 'Traces', 'a.b', '$set', "o'clock", 'µ', ''];
      const model = new Map<string, number>();
      const position = fc.integer({ min: 0, max: 3 });
      const step = fc.record({
        who: fc.constantFrom(one, other),
        name: fc.constantFrom(...names),
        from: fc.option(position),
        to: position,
        isDrop: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      });
      await fc.assert(
        fc.asyncProperty(step, async ({ who, name, from, to, isDrop }) => {
          if (isDrop) await who.drop(name);
          else expect(await who.move(name, from, to)).toBe(outcomeIn(model, name, from));
          if (isDrop) model.delete(name);
          else if (outcomeIn(model, name, from) === 'moved') model.set(name, to);
          const expected = [...model]
            .map(([name, position]) => ({ name, position }))
            .toSorted((a, b) => (a.name < b.name ? -1 : 1));
          expect((await one.list()).map((each) => ({ ...each }))).toEqual(expected);
        }),
        { numRuns: 150 },
      );
    });
  });
}

function outcomeIn(
  model: ReadonlyMap<string, number>,
  name: string,
  from: number | null,
): 'moved' | 'stale' {
  return (model.get(name) ?? null) === from ? 'moved' : 'stale';
}
