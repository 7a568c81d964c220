import { describe, expect, it } from 'vitest';
import { readLogFacts } from '../../../collector/reconcile/log-facts.ts';

function claim(number: number): object {
  const claimed = {
    inputTokens: 1,
    reported: true,
    costNanoUsd: 1,
    costSource: 'catalog',
    rawUsage: { input: 1 },
  };
  const data = { entryId: `e${number}`, key: 'agent:A', turnEntryId: null, claimed };
  return {
    id: `id-${number}`,
    type: 'pi.subagent.claimed.v1',
    source: '/importers/omp',
    subject: 's',
    time: '2026-03-01T09:00:00.000Z',
    data,
  };
}

/** A log with this many claims, two per page. */
const logOf = (claims: number) => async (path: string) => {
  const after = Number(new URL(path, 'http://localhost').searchParams.get('after') ?? 0);
  const positions = [after + 1, after + 2].filter((position) => position <= claims);
  const rows = positions.map((position) => ({ position, event: claim(position) }));
  return { rows, next: after + 2 < claims ? after + 2 : null };
};

describe('the log, read for reconcile', () => {
  it('holds claims up to a limit, and says so beyond it', async () => {
    const { sessions } = await readLogFacts(logOf(5), () => null, 5);
    expect(sessions.get('s')?.book.claims.length).toBe(5);
    await expect(readLogFacts(logOf(6), () => null, 5)).rejects.toThrow(
      'The log has more than 5 subagent claims',
    );
  });

  it('trusts nothing: an event without figures is an unreported record', async () => {
    const event = {
      type: 'pi.turn.completed.v1',
      subject: 's',
      time: 'yesterday',
      data: { spend: { costNanoUsd: 0.5 } },
    };
    const ask = async (path: string) => ({
      rows: path.includes('after=0') ? [{ position: 1, event }] : [],
      next: null,
    });
    const { sessions } = await readLogFacts(ask, () => null);
    expect(sessions.get('s')?.sums.byKind.get('turn')).toMatchObject({
      records: 1n,
      unreportedRecords: 1n,
      nanoUsd: 0n,
    });
  });
});
