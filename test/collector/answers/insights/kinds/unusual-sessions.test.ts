import { describe, expect, it } from 'vitest';
import { event } from '../../../projections/support/given.ts';
import { askInsights, at, lastSession, spent, usd } from '../support/asked.ts';

const { ofKind } = askInsights();

describe('sessions far above what is usual', () => {
  const usual = Array.from({ length: 8 }, (_, index) => spent('11-10', index % 2 === 0 ? 1 : 2));

  it('are told against the median of their project', async () => {
    const dear = spent('11-11', 15);
    const rows = await ofKind('unusual-session', [...usual.flat(), ...dear]);
    expect(rows).toMatchObject([
      {
        nanoUsd: String(13 * usd),
        isChange: true,
        title: `session ${lastSession()} cost 7.5 times its project's median`,
        reason: '$15.00 against $2.00, the median of 9 sessions of shop',
        command: `pi-ledger sessions show ${lastSession()}`,
      },
    ]);
  });

  it('count with their subagents', async () => {
    const [dear, child] = [spent('11-11', 5), spent('11-11', 6)];
    const childId = lastSession();
    const parentSessionId = lastSession(1);
    const started = event(
      'pi.session.started.v1',
      { at: at('11-11'), session: childId },
      { parentSessionId },
    );
    const rows = await ofKind('unusual-session', [...usual.flat(), ...dear, ...child, started]);
    expect(rows.map(({ rows: [row] }) => [row?.id, row?.nanoUsd])).toEqual([
      [parentSessionId, String(11 * usd)],
    ]);
  });

  it('are not told of few sessions', async () => {
    const given = [...usual.slice(2).flat(), ...spent('11-11', 50)];
    expect(await ofKind('unusual-session', given)).toEqual([]);
  });
});
