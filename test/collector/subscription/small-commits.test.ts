/** Where a commit keeps others from the thread, a fold of very many rows commits in parts. */
import { expect, it } from 'vitest';
import {
  type Emit,
  type Projection,
  type Rollup,
  rowKey,
} from '../../../collector/projections/projection.ts';
import { createGenerationFold } from '../../../collector/subscription/generation-fold.ts';
import type { Commit, ViewsWriter } from '../../../collector/views/views.ts';
import { exampleEvent } from '../support/events.ts';

const rollup: Rollup<'event'> = {
  ...{ name: 'counts', dimensions: ['event'], measures: ['events'], indexes: [] },
};

/** Every event is a row of its own, and counts in one of ten documents. */
const projection = {
  ...{ name: 'many', version: 1, settings: '', rollups: [rollup], columns: {}, indexes: [] },
  key: ({ event }: { readonly event: { readonly subject: string } }) => event.subject,
  initial: () => ({ events: 0 }),
  evolve(state: { events: number }, { event }: { event: { id: string } }, emit: Emit) {
    emit(rollup, rowKey(rollup, { event: event.id }), [1]);
    return { events: state.events + 1 };
  },
  encode: (state: unknown) => JSON.stringify(state),
  decode: (body: string) => JSON.parse(body),
  columnsOf: () => ({}),
} as unknown as Projection;

const events = Array.from({ length: 1_000 }, (_, index) => ({
  event: exampleEvent({ number: index + 1, subject: `session-${index % 10}` }),
  ...{ position: index + 1, receivedAtMs: 0 },
}));

/** `commits`: of how many none is stale. */
function folded(memoryCharsMax: number, rowsPerCommit?: number, commits = 1_000) {
  const done: Commit[] = [];
  const documents = new Map<string, string>();
  const views = {
    ...(rowsPerCommit === undefined ? {} : { rowsPerCommit }),
    async load(_projection: Projection, _generation: number, keys: readonly string[]) {
      return new Map(keys.flatMap((key) => [[key, documents.get(key) ?? '']] as const));
    },
    async commit(_projection: Projection, commit: Commit) {
      if (done.length === commits) return 'stale';
      done.push(commit);
      for (const { key, body } of commit.documents) documents.set(key, body);
      return 'committed';
    },
  } as unknown as ViewsWriter;
  const fold = createGenerationFold({
    ...{ views, projection, seal: null, isCounted: true, memoryCharsMax },
    generation: { id: 1, version: 1, settings: '', checkpoint: 0 },
    onError: () => undefined,
  });
  return { fold, done, documents };
}

it.each([1_000_000, 1])('of up to so many rows, with %i characters in memory', async (memory) => {
  const { fold, done, documents } = folded(memory, 50);
  for (let from = 0; from < events.length; from += 400)
    await fold.take(events.slice(from, from + 400));
  expect(await fold.commit()).toBe('committed');
  expect(fold.committed()).toBe(events.length);
  const rows = done.map(({ documents: changed, deltas }) => changed.length + deltas.length);
  expect(Math.max(...rows)).toBeLessThanOrEqual(50);
  expect(done.map(({ to }) => to).slice(0, -1)).toEqual(done.map(({ from }) => from).slice(1));
  const ids = done.flatMap(({ deltas }) => deltas.map(({ dimensions }) => dimensions[0]));
  expect(ids).toEqual(events.map(({ event }) => event.id));
  expect([...documents.values()]).toEqual(Array(10).fill('{"events":100}'));
});

it('of any number where a commit keeps nobody waiting', async () => {
  const { fold, done } = folded(1_000_000);
  await fold.take(events);
  expect(done).toEqual([]);
  expect(fold.pending()).toBe(events.length);
});

it('and stops where another process has the view: the next commit says so', async () => {
  const { fold, done } = folded(1_000_000, 50, 3);
  await fold.take(events);
  expect(fold.committed()).toBe(done.at(-1)?.to);
  expect(fold.pending()).toBeGreaterThan(events.length);
  expect(await fold.commit()).toBe('stale');
  expect(done.length).toBe(3);
});
