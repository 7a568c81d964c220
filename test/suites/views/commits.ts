import { describe, expect, it } from 'vitest';
import { commit, delta, find, goLive, type Stores, sum, thing } from './stores.ts';
import { things } from './things.ts';

export function describeCommits({ open, openLive }: Stores): void {
  describe('commit', () => {
    it('keeps documents, rows and checkpoint for whoever opens the store next', async () => {
      const { views, reopen } = await open();
      const generation = await goLive(views, things);
      await commit(views, generation, 7, {
        documents: [thing('a', { label: 'x', size: 3 })],
        deltas: [delta(['d', 'p', 'u'], [1n, 5n])],
      });
      const again = await reopen();
      expect(await again.live(things)).toEqual({ ...generation, checkpoint: 7 });
      expect(await find(again)).toEqual([thing('a', { label: 'x', size: 3 })]);
      expect(await sum(again, ['project'])).toEqual({ p: [1n, 5n] });
    });

    it('replaces a document whole, columns and body', async () => {
      const { views, generation } = await openLive();
      await commit(views, generation, 1, {
        documents: [thing('a', { label: 'x', size: 3 }, 'one'), thing('b')],
      });
      await commit(views, { ...generation, checkpoint: 1 }, 2, {
        documents: [thing('a', { label: null, size: 4 }, 'two')],
      });
      expect(await find(views)).toEqual([thing('a', { label: null, size: 4 }, 'two'), thing('b')]);
      expect(await views.load(things, generation.id, ['b', 'a', 'none'])).toEqual(
        new Map([
          ['b', thing('b').body],
          ['a', 'two'],
        ]),
      );
    });

    it('keeps what it sets aside with the generation, once, and drops it with that', async () => {
      const { views, reopen } = await open();
      const generation = await goLive(views, things);
      const aside = [3, 5, 70].map((position) => ({
        position,
        eventId: `id ${position}`,
        reason: 'odd',
      }));
      await commit(views, generation, 5, { setAside: aside.slice(0, 2) });
      await commit(views, { ...generation, checkpoint: 5 }, 70, { setAside: aside.slice(2) });
      expect(await views.setAside(things, 2)).toEqual({ count: 3, events: aside.slice(0, 2) });
      expect(await (await reopen()).setAside(things, 10)).toEqual({ count: 3, events: aside });
      await goLive(views, things);
      expect(await views.setAside(things, 10)).toEqual({ count: 0, events: [] });
    });

    it('answers stale and changes nothing when the checkpoint is elsewhere', async () => {
      const { views, generation } = await openLive();
      await commit(views, generation, 5, {
        documents: [thing('a', {}, 'one')],
        deltas: [delta(['d', 'p', 'u'], [1n, 1n])],
      });
      for (const checkpoint of [0, 4, 6]) {
        const change = {
          documents: [thing('a', {}, 'two'), thing('b')],
          deltas: [delta(['d', 'p', 'u'], [1n, 1n])],
        };
        expect(await commit(views, { ...generation, checkpoint }, 9, change)).toBe('stale');
      }
      expect(await find(views)).toEqual([thing('a', {}, 'one')]);
      expect(await sum(views, [])).toEqual({ '': [1n, 1n] });
      expect((await views.live(things))?.checkpoint).toBe(5);
    });

    it('moves the checkpoint also when there is nothing to write', async () => {
      const { views, generation } = await openLive();
      expect(await commit(views, generation, 4)).toBe('committed');
      expect((await views.live(things))?.checkpoint).toBe(4);
    });

    it('keeps any text as it is', async () => {
      const { views, generation } = await openLive();
      const texts = [
        '',
        ' ',
        "it's",
        '"',
        '`',
        '%_',
        'null',
        '\u0000',
        'a\u0000b',
        '\n',
        '😀',
        'ﬁ',
        'é',
        'e\u0301',
        '<script>',
        '1e3',
        '٣',
      ];
      const deltas = texts.map((text, index) => delta([text, text, ''], [1n, BigInt(index)]));
      await commit(views, generation, 1, {
        documents: texts.map((text) => thing(`key ${text}`, { label: text }, text)),
        deltas,
      });
      expect(await sum(views, ['day'])).toEqual(
        Object.fromEntries(texts.map((text, index) => [text, [1n, BigInt(index)]])),
      );
      for (const text of texts) {
        expect(
          await find(views, { where: [{ column: 'label', is: 'in', values: [text] }] }),
        ).toEqual([thing(`key ${text}`, { label: text }, text)]);
        expect(
          await sum(views, ['project'], [{ column: 'day', is: 'in', values: [text] }]),
        ).toHaveProperty([text]);
      }
    });
  });
}
