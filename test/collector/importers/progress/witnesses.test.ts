/** Importers that remember their progress detect a store restored to an earlier state. */
import { describe, expect, it } from 'vitest';
import { noIssues } from '../../../../collector/importers/issues.ts';
import {
  openProgress,
  type ProgressStore,
} from '../../../../collector/importers/progress/progress.ts';
import { forgetIfPutBack } from '../../../../collector/importers/progress/witnesses.ts';

const noFiles: ReadonlyMap<string, unknown> = new Map();
const file = {
  path: '/a.jsonl',
  stamp: '1',
  bookmark: null,
  isFailed: false,
  claimedBy: null,
  alsoClaimedBy: [],
  ties: [],
  issues: noIssues,
  againAtMs: null,
};

/** A log that only keeps ids. */
function logOf(...ids: string[]) {
  const known = new Set(ids);
  return {
    known,
    async accept(values: readonly unknown[]) {
      const before = known.size;
      for (const value of values) known.add((value as { id: string }).id);
      const accepted = known.size - before;
      return { accepted, duplicates: values.length - accepted, expired: 0, rejected: [] };
    },
  };
}

function open(
  storeId = 'store',
): ProgressStore & { readonly witnesses: NonNullable<ProgressStore['witnesses']> } {
  const progress = openProgress({ path: ':memory:', storeId });
  if (progress.witnesses === null) throw new Error('not for reading only');
  progress.save([file], []);
  return { ...progress, witnesses: progress.witnesses };
}

const event = (id: string, pad = ''): string => JSON.stringify({ id, pad });

describe('an importer that remembers what was acknowledged', () => {
  it('goes on where the log still has it', async () => {
    const { witnesses, files } = open();
    witnesses.keep(1, [event('a'), event('b')]);
    expect(await forgetIfPutBack(witnesses, logOf('a', 'b').accept)).toBe(false);
    expect(files().size).toBe(1);
    expect(await forgetIfPutBack(witnesses, logOf('a', 'b').accept)).toBe(false);
  });

  it('starts anew if the log lost the last witness, even if it has grown since', async () => {
    const { witnesses, files } = open();
    witnesses.keep(1, [event('a')]);
    witnesses.keep(2, [event('b')]);
    expect(
      await forgetIfPutBack(
        witnesses,
        logOf('a', ...Array.from({ length: 100 }, (_, index) => `other ${index}`)).accept,
      ),
    ).toBe(true);
    expect(files()).toEqual(noFiles);
    expect(witnesses.texts()).toEqual([]);
  });

  it('starts anew after dying between question and answer', async () => {
    const { witnesses, files } = open();
    witnesses.keep(1, [event('a')]);
    const log = logOf();
    const dies = async (values: readonly unknown[]): Promise<never> => {
      await log.accept(values);
      throw new Error('the answer is lost');
    };
    await expect(forgetIfPutBack(witnesses, dies)).rejects.toThrow('lost');
    expect(log.known.has('a')).toBe(true);
    expect(await forgetIfPutBack(witnesses, log.accept)).toBe(true);
    expect(files()).toEqual(noFiles);
    expect(await forgetIfPutBack(witnesses, log.accept)).toBe(false);
  });

  it('takes what is older than deleted history for no loss', async () => {
    const { witnesses, files } = open();
    witnesses.keep(1, [event('a')]);
    const sealed = async () => ({ accepted: 0, duplicates: 0, expired: 1, rejected: [] });
    expect(await forgetIfPutBack(witnesses, sealed)).toBe(false);
    expect(files().size).toBe(1);
  });

  it('asks nothing where it remembers nothing', async () => {
    const { witnesses, files } = open();
    const never = () => Promise.reject(new Error('asked'));
    expect(await forgetIfPutBack(witnesses, never)).toBe(false);
    expect(await forgetIfPutBack(witnesses, never)).toBe(false);
    expect(files().size).toBe(1);
  });

  it('remembers an event of 4,096 characters, none that is longer', () => {
    const { witnesses } = open();
    const [fits, longer] = [4_096, 4_097].map((length) =>
      event('a', 'x'.repeat(length - event('a').length)),
    );
    witnesses.keep(1, [`${fits}`, `${longer}`]);
    expect(witnesses.texts()).toEqual([fits]);
  });

  it('remembers one short event of each of the last eight passes, of this store', () => {
    const { witnesses } = open();
    for (let pass = 1; pass <= 20; pass += 1) {
      witnesses.keep(pass, [
        event(`${pass} first`),
        event(`${pass} last`),
        event('long', 'x'.repeat(5_000)),
      ]);
      witnesses.keep(pass, [event('long', 'x'.repeat(5_000))]);
    }
    expect(witnesses.texts()).toEqual(
      Array.from({ length: 8 }, (_, index) => event(`${13 + index} last`)),
    );
  });
});
