import type { FactsAt } from '@pi-ledger/contract/telemetry/session-facts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSessionFacts, factsOfEvents } from '../../../../collector/answers/sessions/facts.ts';
import { openLedger } from '../../../../collector/main.ts';
import { noRules } from '../../../../collector/projections/rules.ts';
import { sessions } from '../../projections/support/bare-sessions.ts';
import { exampleEvent } from '../../support/events.ts';
import { memberEvents } from '../../support/family.ts';
import { ledgerHomes, post } from '../../support/ledger.ts';

const homes = ledgerHomes();
const time = '2026-11-20T08:00:00.000Z';

describe('facts of sessions', () => {
  it('are those of their attributions; unknown sessions are absent', async () => {
    const ledger = await homes.open();
    await post(ledger, [
      ...memberEvents({ id: 'root', nanoUsd: 1 }),
      ...memberEvents({ id: 'sub', parent: 'root', agent: 'subagent', agentName: 'Explore' }),
      exampleEvent({ number: 900, subject: 'bare' }),
    ]);
    await ledger.subscription.catchUp();
    const read = createSessionFacts({ views: ledger.views, sessions });
    const facts = await read(['root', 'sub', 'sub', 'bare', 'unknown']);
    expect([...facts.keys()].toSorted()).toEqual(['root', 'sub']);
    expect(facts.get('root')?.at(time)).toMatchObject({
      project: 'shop',
      branch: 'main',
      hostName: 'pi',
      hostVersion: '0.87.1',
      agentKind: 'main',
      agentName: null,
      user: 'ada',
      parentSessionId: null,
      isIgnored: false,
    });
    expect(facts.get('sub')?.at(time)).toMatchObject({
      agentKind: 'subagent',
      agentName: 'Explore',
      parentSessionId: 'root',
    });
  });

  /** A session that moved from one project to another, with another plan. */
  const moved = [
    ...memberEvents({ id: 'moved', project: 'secrets', user: 'ada' }),
    exampleEvent({
      number: 902,
      subject: 'moved',
      time: '2026-11-20T09:30:00.000Z',
      type: 'pi.session.attributed.v1',
      data: {
        project: { name: 'shop', remote: null, branch: 'main', worktree: null },
        billing: { anthropic: 'subscription' },
      },
    }),
  ];
  const rules = { ...noRules, projects: [{ match: 'secrets', ignore: true } as const] };

  async function fromViews() {
    const ledger = await openLedger({ ...homes.config(), rules });
    onTestFinished(() => ledger.close());
    await post(ledger, moved);
    await ledger.subscription.catchUp();
    return createSessionFacts({ views: ledger.views, sessions })(['moved']);
  }

  async function fromEvents() {
    const known = factsOfEvents(rules);
    for (const event of moved) known.add(event);
    return known.read(['moved']);
  }

  it.each([
    ['views', fromViews],
    ['events', fromEvents],
  ])('hold by time (of %s)', async (_, read) => {
    const facts = (await read()).get('moved');
    const told = ({ project, isIgnored, billingOf }: FactsAt) => [
      project,
      isIgnored,
      billingOf('anthropic'),
    ];
    const times = ['2026-11-19T00:00:00.000Z', time, '2026-11-20T09:29:59.999Z'];
    for (const before of times)
      expect(facts && told(facts.at(before))).toEqual(['secrets', true, 'metered']);
    for (const after of ['2026-11-20T09:30:00.000Z', '2027-01-01T00:00:00.000Z'])
      expect(facts && told(facts.at(after))).toEqual(['shop', false, 'subscription']);
  });

  it('of events know the prompt that the parent worked at', async () => {
    const known = factsOfEvents(noRules);
    const prompt = (entryId: string, hour: string) =>
      exampleEvent({
        ...{ number: Number(hour), subject: 'root', type: 'pi.prompt.submitted.v1' },
        time: `2026-11-20T${hour}:00:00.000Z`,
        data: { entryId },
      });
    const sub = memberEvents({ id: 'sub', parent: 'root', agent: 'subagent' });
    for (const event of [...sub, prompt('p2', '12'), prompt('p1', '10')]) known.add(event);
    const facts = (await known.read(['sub'])).get('sub');
    const asked = ['09', '11', '13'].map((hour) =>
      facts?.parentPromptAt(`2026-11-20T${hour}:00:00.000Z`),
    );
    expect(asked).toEqual([null, 'p1', 'p2']);
  });

  it('of many sessions are read in parts', async () => {
    const ids = Array.from({ length: 45 }, (_, index) => `session ${index}`);
    const ledger = await homes.open();
    await post(
      ledger,
      ids.flatMap((id) => memberEvents({ id })),
    );
    await ledger.subscription.catchUp();
    expect((await createSessionFacts({ views: ledger.views, sessions })(ids)).size).toBe(45);
  });

  it('of events call a session ignored when whose it was may have been deleted', async () => {
    const known = factsOfEvents(noRules);
    for (const event of memberEvents({ id: 'kept' })) known.add(event);
    expect([...(await known.read(['kept', 'begun before'])).keys()]).toEqual(['kept']);
    known.add(exampleEvent({ number: 901, type: 'pi.history.sealed.v1' }));
    const facts = await known.read(['kept', 'begun before']);
    expect(facts.get('kept')?.at(time).isIgnored).toBe(false);
    expect(facts.get('begun before')?.at(time).isIgnored).toBe(true);
  });
});
