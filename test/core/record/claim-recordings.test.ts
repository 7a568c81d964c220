/** What recorded parents claim of their subagents, and whether the subagents' accounts match. */
import { describe, expect, it } from 'vitest';
import type { EventData } from '../../../contract/index.ts';
import { eventsOf, sessionFiles } from '../../extension/support/sessions.ts';
import { accounts, claims, keysClaimed } from './support/subagents.ts';

describe('recorded sessions of parents, children and grandchildren', () => {
  const files = (name: string) => sessionFiles.filter((file) => file.name.includes(name));

  it('meet by name in omp, sum by sum', () => {
    const drafts = files('nested-task').flatMap(({ header, entries, parent }) =>
      eventsOf(header, entries, parent),
    );
    const claimed = claims(drafts).map(({ key, claimed: { inputTokens, outputTokens } }) => [
      key,
      inputTokens,
      outputTokens,
    ]);
    expect(claimed).toEqual([
      ['agent:SubA', 321, 145],
      ['agent:SubA.SubA', 1005, 453],
      ['agent:SubA.SubA', 1005, 453],
    ]);
    for (const draft of drafts.filter(({ type }) => type === 'pi.subagent.claimed.v1')) {
      const { key, claimed: claim } = draft.data as EventData<'pi.subagent.claimed.v1'>;
      const told = accounts(drafts.filter(({ subject }) => subject === draft.subject)).filter(
        ({ keys }) => keys.includes(key),
      );
      for (const measure of [
        'inputTokens',
        'outputTokens',
        'cacheReadTokens',
        'cacheWriteTokens',
      ] as const)
        expect(told.reduce((total, { accounted }) => total + accounted[measure], 0)).toBe(
          claim[measure],
        );
    }
  });

  it('meet answer by answer in pi', () => {
    const [root, child, grandchild] = files('nested-subagent');
    const turnOf = (file: typeof root) =>
      claims(eventsOf(file?.header as never, file?.entries ?? []))[0]?.turnEntryId;
    const events = (file: typeof root, of: typeof root) =>
      eventsOf(file?.header as never, file?.entries ?? [], {
        sessionId: of?.header.id ?? '',
        key: `turn:${turnOf(of)}`,
      });
    const drafts = [
      ...eventsOf(root?.header as never, root?.entries ?? []),
      ...events(child, root),
      ...events(grandchild, child),
    ];
    for (const file of [root, child]) {
      const told = drafts.filter(({ subject }) => subject === file?.header.id);
      const keys = accounts(told).flatMap((account) => account.keys);
      expect(keysClaimed(told).filter((key) => !keys.includes(key))).toEqual([]);
      expect(keysClaimed(told).length).toBe(file === root ? 8 : 6);
    }
  });
});
