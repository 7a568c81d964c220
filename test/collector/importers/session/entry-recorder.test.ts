/** The owners of one session file's entries, and how certain they are. */
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../core/record/entry.ts';
import {
  answer,
  append,
  newSession,
  toolCall,
  toolResult,
  usage,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  at,
  attributions,
  entriesOf,
  forked,
  parentFile,
  recorded,
  recorderOf,
  story,
  turns,
} from '../support/recorded.ts';

const root = temporaryDirectory();

describe('an entry', () => {
  it('of a session that is no fork is its own, whatever its time', () => {
    const session = story();
    append(session, 'late', at(-60), answer('r3'));
    expect(turns(recorded(session).drafts)).toEqual([
      ['a1', 's', undefined],
      ['a2', 's', undefined],
      ['late', 's', undefined],
    ]);
  });

  it('of a fork may be a copy: what is older is its owner’s, what follows is unsure', () => {
    const { drafts, kinds } = recorded(forked(parentFile(root)));
    expect(kinds).toEqual(['drafts', 'drafts', 'drafts']);
    expect(turns(drafts)).toEqual([
      ['copy', 'p', 'named'],
      ['own', 'c', 'unsure'],
    ]);
  });

  it('of a fork whose ancestors are gone is assumed to be the oldest one’s', () => {
    expect(turns(recorded(forked(parentFile(root, 5))).drafts)).toEqual([
      ['copy', 'p', 'assumed'],
      ['own', 'c', 'unsure'],
    ]);
  });

  it('of a subagent is sure, though its header names a parent', () => {
    const path = '/sessions/2026-11-20T08-00-00-000Z_above/A.jsonl';
    expect(
      turns(recorded(story({ parentSession: 'above' }), { path }).drafts).map(
        ([, , ownership]) => ownership,
      ),
    ).toEqual([undefined, undefined]);
  });

  it('of the millisecond in which a fork began is a copy if it is an answer', () => {
    const owners = (parentSession: string | undefined, body: object) => {
      const session = newSession('c', at(10), { parentSession });
      append(session, 'e', at(10), body as never);
      return recorded(session)
        .drafts.filter(({ type }) => /turn|prompt|tool/.test(type))
        .map(({ subject }) => subject);
    };
    const named = parentFile(root);
    expect(owners(named, answer('r'))).toEqual(['p']);
    expect(owners(named, toolResult('t', 'read'))).toEqual(['p']);
    expect(owners(named, userSays())).toEqual(['c']);
    expect(owners(undefined, answer('r'))).toEqual(['c']);
  });

  it('of the millisecond in which its parent began is further up where it is an answer', () => {
    const grandparent = parentFile(root, -10, 'g');
    const session = newSession('c', at(10), {
      parentSession: parentFile(root, 0, 'p', { parentSession: grandparent }),
    });
    append(session, 'u', at(0), userSays());
    append(session, 'a', at(0), answer('r'));
    const { drafts } = recorded(session);
    expect(turns(drafts)).toEqual([['a', 'g', 'named']]);
    expect(drafts.find(({ type }) => type === 'pi.prompt.submitted.v1')?.subject).toBe('p');
  });

  it('behind the first of its own is its own: a clock was set back', () => {
    const session = forked(parentFile(root));
    append(session, 'back', at(3), answer('r9'));
    expect(turns(recorded(session).drafts).at(-1)).toEqual(['back', 'c', 'unsure']);
  });

  it('is below the entry that it names, or if a copy, below the previous one', () => {
    const session = newSession('c', at(10), { parentSession: parentFile(root) });
    append(session, 'u', at(1), userSays());
    append(session, 'a', at(2), answer('r', { content: [toolCall('t1', 'read')] }));
    session.leafId = 'dropped';
    append(session, 'x', at(3), toolResult('t1', 'read'));
    session.leafId = null;
    append(session, 'root', at(4), answer('r4'));
    session.leafId = 'never there';
    append(session, 'own', at(11), answer('r5'));
    session.leafId = 'u';
    append(session, 'below', at(12), answer('r6'));
    const prompts = recorded(session).drafts.flatMap(({ type, data }) =>
      /turn.completed|tool.completed/.test(type)
        ? [
            [
              (data as { entryId: string }).entryId,
              (data as { promptEntryId: string }).promptEntryId,
            ],
          ]
        : [],
    );
    expect(prompts).toEqual([
      ['a', 'u'],
      ['x', 'u'],
      ['root', null],
      ['own', null],
      ['below', 'u'],
    ]);
  });

  it('below one that was read long before needs the whole file', () => {
    const session = story();
    const { standing } = recorded(session);
    const recorder = recorderOf(session, { standing });
    const next = (parentId: string | null) => ({
      ...(entriesOf(session)[2] as Entry),
      id: 'n',
      key: 'n',
      parentId,
    });
    expect(recorder.take(next('long ago')).kind).toBe('unknown parent');
    expect(recorder.take(next('a2')).kind).toBe('drafts');
    expect(recorder.take(next(null)).kind).toBe('drafts');
  });

  it('that is nested too deep is reported, and its children have its parent', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
    const tooDeep = answer('r', { usage: { ...usage(1), deep } });
    const session = forked(parentFile(root), tooDeep);
    append(session, 'deep', at(12), tooDeep);
    append(session, 'below', at(13), answer('r9'));
    const { kinds, drafts } = recorded(session);
    expect(kinds).toEqual(['drafts', 'nested too deep', 'drafts', 'nested too deep', 'drafts']);
    expect(drafts.at(-1)?.data).toMatchObject({ entryId: 'below', promptEntryId: 'u' });
  });
});

describe('a copy that has lost its price', () => {
  const free = answer('r', { usage: { ...usage(100), cost: { total: 0 } } });

  /** The parent's file by its minute, or the parent in the header. */
  it.each([
    ['is left to the owner whose file is there', 'omp', 0, 'left to its owner'],
    [
      'counts where the owner’s file is gone, and its name tells who it is',
      'omp',
      '/gone/2026-11-20T09-00-00-000Z_p.jsonl',
      'drafts',
    ],
    ['counts where only the owner’s id is known', 'omp', 'p', 'drafts'],
    ['is left out where whose it is nobody can say', 'omp', 5, 'left out'],
    ['counts in a file of pi, which takes no prices out', 'pi', 5, 'drafts'],
  ] as const)('%s', (_what, importer, named, kind) => {
    expect(
      recorded(forked(typeof named === 'number' ? parentFile(root, named) : named, free), {
        importer,
      }).kinds,
    ).toEqual(['drafts', kind, 'drafts']);
  });

  it('and one of the session’s own count', () => {
    const session = story();
    append(session, 'free', at(4), free);
    expect(recorded(session, { importer: 'omp' }).kinds).toEqual([
      'drafts',
      'drafts',
      'drafts',
      'drafts',
    ]);
  });
});

describe('the end of a file', () => {
  it('says of each owner what was copied, and of its parent whose session that was', () => {
    const grandparent = parentFile(root, -10, 'g');
    const session = newSession('c', at(10), {
      parentSession: parentFile(root, 0, 'p', { parentSession: grandparent }),
    });
    append(session, 'u', at(-5), userSays());
    append(session, 'a1', at(-4), answer('r1'));
    append(session, 'a2', at(-3), answer('r2'));
    append(session, 'a3', at(3), answer('r3'));
    append(session, 'older', at(-60), answer('r4'));
    const { ended } = recorded(session);
    const copied = ended
      .filter(({ type }) => type === 'pi.session.copied.v1')
      .map(({ subject, data }) => [subject, data]);
    expect(copied).toEqual([
      ['g', { copySessionId: 'c', entries: 3, spendEntries: 2, ownerAssumed: false }],
      ['p', { copySessionId: 'c', entries: 1, spendEntries: 1, ownerAssumed: false }],
      ['g', { copySessionId: 'c', entries: 1, spendEntries: 1, ownerAssumed: true }],
    ]);
    expect(
      attributions(ended).map(({ subject, data }) => [subject, (data as { basis: string }).basis]),
    ).toEqual([['p', 'inferred']]);
  });

  it('says nothing where nothing was copied, or only from itself', () => {
    expect(recorded(story()).ended).toEqual([]);
    expect(recorded(forked(undefined)).ended).toEqual([]);
  });
});
