import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBatchSorter, isDeeper } from '../../../collector/ingest/sorted-batch.ts';
import { limits } from '../../../contract/index.ts';
import { exampleEvent } from '../support/events.ts';
import { ingests } from './ingests.ts';

const { open } = ingests();

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('how deep a text is nested', () => {
  it('is what its value is, whatever brackets and quotes its strings contain', () => {
    const text = fc.constantFrom('{', '[[', '}"', '\\', '\\"{', '"', 'x');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        text,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.nat(8), (each, levelsMax) => {
        expect(isDeeper(JSON.stringify(each), levelsMax)).toBe(depthOf(each) > levelsMax);
      }),
    );
  });
});

describe('an event with a field that nobody knows', () => {
  const withField = (number: number, levels: number): string => {
    const text = JSON.stringify(exampleEvent({ number }));
    return `${text.slice(0, -1)},"other":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  };
  const { eventLevelsMax } = limits;

  it('is accepted up to the limit, and known when it comes again', async () => {
    const { ingest } = open();
    const texts = [withField(1, eventLevelsMax - 1)];
    const values = texts.map((text) => JSON.parse(text));
    expect(await ingest.accept(values, texts)).toMatchObject({ accepted: 1, rejected: [] });
    expect(await ingest.accept(values, texts)).toMatchObject({ duplicates: 1, rejected: [] });
  });

  it.each([eventLevelsMax, 1_500, 100_000])(
    'is rejected by itself beyond it, each time it comes: %i levels',
    async (levels) => {
      const { ingest } = open();
      const texts = [withField(1, levels), withField(2, 1)];
      const values = texts.map((text) => JSON.parse(text));
      for (const expected of [{ accepted: 1 }, { duplicates: 1 }])
        expect(await ingest.accept(values, texts)).toMatchObject({
          ...expected,
          rejected: [{ index: 0, code: 'schema', field: '' }],
        });
    },
  );

  it('is moved as it was accepted: what workers hand on may be deeper and larger', async () => {
    const { ingest } = open();
    const texts = [withField(1, eventLevelsMax - 1)];
    await ingest.accept(
      texts.map((text) => JSON.parse(text)),
      texts,
    );
    const move = moveOf({ deep: JSON.parse(texts[0] ?? ''), long: 'x'.repeat(700_000) });
    expect(await ingest.acceptForwarded([move], now)).toMatchObject({ accepted: 1, rejected: [] });
  });

  it('is refused as a move that no broker would take, where one is in between', () => {
    const texts = [moveOf({ long: 'x'.repeat(1_000) }), moveOf({ long: 'x'.repeat(100_000) })];
    const values = texts.map((text) => JSON.parse(text));
    const sort = createBatchSorter({ moveBytesMax: 50_000 });
    expect(sort(values, texts, now, () => ({ is: 'record' }))).toMatchObject({
      events: [{}],
      rejected: [{ index: 1, code: 'too_large', field: '' }],
    });
  });

  const event = exampleEvent({ number: 1 });
  const now = Date.parse(event.time);

  function moveOf(more: object): string {
    return JSON.stringify({
      ...{ ...event, id: exampleEvent({ number: 2 }).id, source: '/collector' },
      type: 'pi.entry.moved.v1',
      data: {
        ...{ eventId: event.id, role: 'out', ownership: null },
        event: { type: event.type, data: { ...event.data, ...more } },
      },
    });
  }
});
