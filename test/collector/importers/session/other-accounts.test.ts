import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../../core/record/draft.ts';
import { answer } from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { forked, keyOf, parentFile, recorded, story, turns } from '../support/recorded.ts';

const root = temporaryDirectory();

const zone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = 'UTC';
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('those who claim its answers', () => {
  const to = (drafts: readonly EventDraft[]) =>
    drafts
      .filter(({ type }) => type === 'pi.subagent.accounted.v1')
      .map(({ subject, data }) =>
        [
          subject,
          ...(['childSessionId', 'childEntryId', 'keys'] as const).map(
            (name) => (data as never)[name],
          ),
        ].flat(),
      );
  const claim = (firstAnswer: string | null, sessionId: string) => ({
    firstAnswer,
    parent: { sessionId, key: `turn:${sessionId}` },
  });

  it('are told of each, beside the nearest parent', () => {
    const first = keyOf(answer('r1'));
    const alsoClaimedBy = [
      claim(first, 'x'),
      claim(null, 'y'),
      claim('response:another', 'z'),
      claim(first, 's'),
      claim(first, 'near'),
    ];
    const { drafts } = recorded(story(), {
      claimedBy: { sessionId: 'near', key: 'turn:t' },
      alsoClaimedBy,
    });
    expect(turns(drafts).map(([entryId]) => entryId)).toEqual(['a1', 'a2']);
    expect(to(drafts).filter(([, , entry]) => entry === 'a2')).toEqual([
      ['near', 's', 'a2', 'turn:t', expect.stringMatching(/^response:/)],
      ['x', 's', 'a2', 'turn:x', expect.stringMatching(/^response:/)],
      ['y', 's', 'a2', 'turn:y', expect.stringMatching(/^response:/)],
    ]);
  });

  it('are told of copies if they claim their session by its first answer', () => {
    const alsoClaimedBy = [
      claim(keyOf(answer('r-p', { timestamp: 1 })), 'x'),
      claim(null, 'y'),
      claim(keyOf(answer('r-c', { timestamp: 2 })), 'z'),
    ];
    const told = to(recorded(forked(parentFile(root)), { alsoClaimedBy }).drafts).map(
      ([subject, child, entry]) => [subject, child, entry],
    );
    expect(told).toEqual([
      ['x', 'p', 'copy'],
      ['y', 'c', 'own'],
      ['z', 'c', 'own'],
    ]);
  });
});
