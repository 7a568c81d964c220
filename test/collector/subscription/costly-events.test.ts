/** Events that are costly to fold leave the thread to others between them. */
import { expect, it } from 'vitest';
import type { Projection } from '../../../collector/projections/projection.ts';
import { createGenerationFold } from '../../../collector/subscription/generation-fold.ts';
import type { ViewsWriter } from '../../../collector/views/views.ts';
import { exampleEvents } from '../support/events.ts';
import { turnsOfOthers } from '../support/turns.ts';

const costMs = 15;
const count = 20;

/** Whatever an event of it costs, it is longer than anybody should wait. */
const costly = {
  ...{ name: 'costly', version: 1, settings: '', rollups: [], columns: {}, indexes: [] },
  key: () => 'one',
  initial: () => ({ events: 0 }),
  evolve(state: { events: number }) {
    for (const begun = performance.now(); performance.now() - begun < costMs; );
    return { events: state.events + 1 };
  },
  encode: (state: unknown) => JSON.stringify(state),
  decode: (body: string) => JSON.parse(body),
  columnsOf: () => ({}),
} as unknown as Projection;

it('they do', async () => {
  const fold = createGenerationFold({
    views: {} as ViewsWriter,
    projection: costly,
    generation: { id: 1, version: 1, settings: '', checkpoint: 0 },
    ...{ seal: null, isCounted: true, memoryCharsMax: 1_000, onError: () => undefined },
  });
  const read = exampleEvents(1, count).map((event, index) => ({
    ...{ event, position: index + 1, receivedAtMs: 0 },
  }));
  expect(await turnsOfOthers(() => fold.take(read))).toBeGreaterThanOrEqual(count - 1);
  expect(fold.position()).toBe(count);
});
