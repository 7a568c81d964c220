/** Entries of which several events come, and errors that are bugs. */
import { expect, it } from 'vitest';
import { answer, append, newSession, usage } from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { at, attributions, forked, parentFile, recorded } from '../support/recorded.ts';

const root = temporaryDirectory();
/** A message of an unknown role, of which a message and its spend come. */
const said = (spent: object) => ({
  type: 'message',
  message: { role: 'advisor', content: 'so', usage: spent },
});

it('a copy spends where one of its events does', () => {
  const { ended, drafts } = recorded(forked(parentFile(root), said(usage(100))));
  expect(drafts.filter(({ subject }) => subject === 'p')).toHaveLength(3);
  expect(ended.find(({ type }) => type === 'pi.session.copied.v1')?.data).toMatchObject({
    entries: 2,
    spendEntries: 1,
  });
});

it('a copy has lost its price where one of its events has', () => {
  const free = said({ ...usage(100), cost: { total: 0 } });
  expect(recorded(forked(parentFile(root), free), { importer: 'omp' }).kinds).toEqual([
    'drafts',
    'left to its owner',
    'drafts',
  ]);
});

it('whose session the parent was is inferred only from copies of its own entries', () => {
  const inferredOf = (minute: number) => {
    const grandparent = parentFile(root, -10, 'g');
    const session = newSession('c', at(10), {
      parentSession: parentFile(root, 0, 'p', { parentSession: grandparent }),
    });
    append(session, 'a', at(minute), answer('r'));
    return attributions(recorded(session).ended).map(({ subject }) => subject);
  };
  expect([-5, 5].map(inferredOf)).toEqual([[], ['p']]);
});

it('an error that is a bug is not taken for an entry nested too deep', () => {
  const session = newSession('s', at(0));
  append(session, 'c', at(1), { type: 'compaction', summary: 's', tokensBefore: 9 });
  const contents = {
    of: () => {
      throw new TypeError('a bug');
    },
  } as never;
  expect(() => recorded(session, { contents })).toThrow('a bug');
});
