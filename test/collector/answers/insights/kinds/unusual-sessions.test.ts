import type { Insights } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../../collector/roles/ledger.ts';
import {
  type AttributionWish,
  attributed,
  event,
  turn,
} from '../../../projections/support/given.ts';
import { get } from '../../../support/ledger.ts';
import { askInsights, at, lastSession, spent, usd } from '../support/asked.ts';

const { ofKind, holding } = askInsights();

async function unusualIn(ledger: Ledger): Promise<Insights['rows']> {
  const { rows }: Insights = (await get(ledger, '/v1/insights?limit=100')).json();
  return rows.filter(({ kind }) => kind === 'unusual-session');
}

/** A session of five dollars, and one of six that names it as its parent. */
function family(agent: AttributionWish['agent']) {
  const given = [spent('11-11', 5), spent('11-11', 6, agent === undefined ? {} : { agent })];
  const parent = lastSession(1);
  const place = { at: at('11-11'), session: lastSession() };
  const started = event('pi.session.started.v1', place, { parentSessionId: parent });
  return { parent, given: [...given.flat(), started] };
}

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

  it('count with their subagents, as the session that they link to does', async () => {
    const { parent, given } = family({ kind: 'subagent', name: 'scout' });
    const ledger = await holding([...usual.flat(), ...given]);
    const [insight] = await unusualIn(ledger);
    expect(insight).toMatchObject({
      nanoUsd: String(9 * usd),
      title: `session ${parent} with 1 subagent cost 5.5 times its project's median`,
      reason: '$11.00 against $2.00, the median of 9 sessions of shop',
      rows: [{ id: parent, nanoUsd: String(9 * usd), text: '$11.00 with 1 subagent' }],
    });
    const details = (await get(ledger, `/v1/sessions/${parent}`)).json();
    expect([details.meteredNanoUsd, details.withSubagents]).toMatchObject([
      String(5 * usd),
      { subagents: 1, isAtLeast: false, meteredNanoUsd: String(11 * usd) },
    ]);
  });

  it('count without sessions begun from them and forks, which stand for themselves', async () => {
    const { parent, given } = family({ kind: 'main', name: null });
    const dear = spent('11-11', 15);
    const ledger = await holding([...usual.flat(), ...given, ...dear]);
    const rows = await unusualIn(ledger);
    expect(rows.map(({ rows: [row] }) => row?.id)).toEqual([lastSession()]);
    const details = (await get(ledger, `/v1/sessions/${parent}`)).json();
    expect([details.meteredNanoUsd, details.withSubagents]).toEqual([String(5 * usd), null]);
  });

  it('say what their page does where they began before the period', async () => {
    const dear = spent('11-11', 15);
    const before = [
      attributed(at('10-01'), {}, lastSession()),
      turn(at('10-01'), { costNanoUsd: 4 * usd }, lastSession()),
    ];
    const [insight] = await ofKind('unusual-session', [...usual.flat(), ...before, ...dear]);
    expect(insight).toMatchObject({
      nanoUsd: String(13 * usd),
      reason: '$15.00 of $19.00 in all against $2.00, the median of 9 sessions of shop',
    });
  });

  it('are not told of few sessions', async () => {
    const given = [...usual.slice(2).flat(), ...spent('11-11', 50)];
    expect(await ofKind('unusual-session', given)).toEqual([]);
  });
});
