import { describe, expect, it } from 'vitest';
import type { Projection } from '../../../collector/projections/projection.ts';
import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import type { Views } from '../../../collector/views/views.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { contentsOf, expectContents, expectedContents, ledgers } from './ledger.ts';
import { story } from './story.ts';

const { open } = ledgers();

describe('rebuild', () => {
  it('folds a projection anew beside its view and swaps them', async () => {
    const ledger = open();
    await ledger.append(story(1, 1_500));
    const subscription = ledger.subscribe();
    await subscription.catchUp();
    const before = await ledger.views.live(sessions);
    const { events, durationMs } = await subscription.rebuild('sessions');
    expect(events).toBe(1_500);
    expect(durationMs).toBeGreaterThan(0);
    const after = await ledger.views.live(sessions);
    expect(after).toMatchObject({ checkpoint: 1_500 });
    expect(after?.id).not.toBe(before?.id);
    expectContents(await contentsOf(ledger.views), expectedContents(story(1, 1_500)));
  });

  it('keeps the old view folded meanwhile, and takes events that arrive', async () => {
    const ledger = open();
    await ledger.append(story(1, 8_000));
    const subscription = ledger.subscribe();
    await subscription.catchUp();
    const rebuilt = subscription.rebuild('sessions');
    let isRebuilding = true;
    void rebuilt.then(() => {
      isRebuilding = false;
    });
    let appended = 8_000;
    let answers = 0;
    while (isRebuilding) {
      await ledger.append(story(appended + 1, 20));
      appended += 20;
      await subscription.catchUp();
      const { sessions: documents } = await contentsOf(ledger.views);
      expect(Object.keys(documents)).toHaveLength(3);
      answers += 1;
    }
    expect(answers).toBeGreaterThan(2);
    expect((await rebuilt).events).toBeGreaterThanOrEqual(8_000);
    await subscription.catchUp();
    expectContents(await contentsOf(ledger.views), expectedContents(story(1, appended)));
  });

  it('happens by itself when the version was raised; until then the old view answers', async () => {
    const ledger = open();
    await ledger.append(story(1, 1_000));
    const old = ledger.subscribe();
    await old.catchUp();
    await old.stop();
    await ledger.append(story(1_001, 1_500));
    const raised = { ...sessions, version: sessions.version + 1 } as Projection;
    const subscription = ledger.subscribe({ projections: [raised] });
    const states = await subscription.state();
    expect(states).toMatchObject([{ projection: 'sessions', position: 1_000, head: 2_500 }]);
    await subscription.catchUp();
    expect(await ledger.views.live(raised)).toMatchObject({
      version: raised.version,
      checkpoint: 2_500,
    });
    expect((await contentsOf(ledger.views)).usage).toEqual(expectedContents(story(1, 2_500)).usage);
  });

  it('happens by itself when a store has no coarser rollups yet, and makes them', async () => {
    const ledger = open();
    await ledger.append(story(1, 1_000));
    const { coarser, ...bare } = usage;
    const older: Projection = {
      ...(sessions as Projection),
      rollups: [bare, totals],
      evolve: (state, stored, emit) =>
        (sessions as Projection).evolve(state, stored, (rollup, key, measures) =>
          emit((rollup.name === usage.name ? bare : rollup) as typeof rollup, key, measures),
        ),
    };
    const old = ledger.subscribe({ projections: [older] });
    await old.catchUp();
    await old.stop();
    expect(await ledger.views.live(older)).toMatchObject({ checkpoint: 1_000 });
    expect(await ledger.views.live(sessions)).toBeNull();
    await ledger.append(story(1_001, 200));
    await ledger.subscribe().catchUp();
    const contents = await contentsOf(ledger.views);
    expect(new Set(Object.keys(contents.coarser).map((key) => key.split(':')[0]))).toEqual(
      new Set(coarser?.map(({ name }) => name)),
    );
    expectContents(contents, expectedContents(story(1, 1_200)));
  });

  it('happens by itself when the rules change; until then the old view answers', async () => {
    const ledger = open();
    await ledger.append(story(1, 300));
    const old = ledger.subscribe();
    await old.catchUp();
    await old.stop();
    const [renaming] = createProjections({
      ...noRules,
      projects: [{ match: 'project *', as: 'one' }],
    });
    const subscription = ledger.subscribe({ projections: [renaming as Projection] });
    const projects = async () =>
      (await ledger.views.sum(sessions, usage, { by: ['project'], where: [] })).map(
        ({ dimensions }) => dimensions.project,
      );
    expect(await projects()).toContain('project 1');
    await subscription.catchUp();
    expect(await projects()).toEqual(['one']);
    expect(await ledger.views.live(sessions)).toMatchObject({
      settings: renaming?.settings,
      checkpoint: 300,
    });
  });

  it('happens by itself when the projection has other columns than its view', async () => {
    const ledger = open();
    await ledger.append(story(1, 100));
    const old = ledger.subscribe();
    await old.catchUp();
    await old.stop();
    const wider = { ...sessions, columns: { ...sessions.columns, turns: 'integer' } } as Projection;
    await ledger.subscribe({ projections: [wider] }).catchUp();
    expect(await ledger.views.live(wider)).toMatchObject({ checkpoint: 100 });
  });

  it('starts over when the process died in the middle', async () => {
    const ledger = open();
    await ledger.append(story(1, 300));
    const abandoned = await ledger.views.begin(sessions);
    const { deltas, documents } = {
      deltas: [],
      documents: [{ key: 'half', columns: {}, body: 'folded' }],
    };
    await ledger.views.commit(sessions, {
      generation: abandoned.id,
      from: 0,
      to: 200,
      documents,
      deltas,
    });
    await ledger.subscribe().catchUp();
    expectContents(await contentsOf(ledger.views), expectedContents(story(1, 300)));
  });

  it('begins again when somebody else dropped its half-made view', async () => {
    const ledger = open();
    await ledger.append(story(1, 3_000));
    let isDropped = false;
    const views: Views = {
      ...ledger.views,
      async commit(projection, commit) {
        if (commit.from > 0 && projection.name === 'sessions' && !isDropped) {
          isDropped = true;
          await ledger.views.begin(projection);
        }
        return ledger.views.commit(projection, commit);
      },
    };
    const subscription = ledger.subscribe({ views, batchEventsMax: 1_000 });
    await subscription.catchUp();
    expect(isDropped).toBe(true);
    isDropped = false;
    expect((await subscription.rebuild('sessions')).events).toBe(3_000);
    expect(isDropped).toBe(true);
    expectContents(await contentsOf(ledger.views), expectedContents(story(1, 3_000)));
  });

  it('is joined by who asks for it again meanwhile', async () => {
    const ledger = open();
    await ledger.append(story(1, 2_000));
    const subscription = ledger.subscribe();
    await subscription.catchUp();
    const [one, other] = await Promise.all([
      subscription.rebuild('sessions'),
      subscription.rebuild('sessions'),
    ]);
    expect(one).toEqual(other);
  });

  it('knows its projections', async () => {
    const subscription = open().subscribe();
    expect(createProjections(noRules).map(({ name }) => name)).toEqual([
      'sessions',
      'producers',
      'context',
      'compactions',
      'timings',
      'quota',
      'heads',
      'utilization',
      'budgets',
    ]);
    await expect(subscription.rebuild('none')).rejects.toThrow('none');
  });
});
