import { describe, expect, it } from 'vitest';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSessionFacts, factsOfEvents } from '../../../collector/queries/session-facts.ts';
import { exampleEvent } from '../support/events.ts';
import { memberEvents } from '../support/family.ts';
import { ledgerHomes, post } from '../support/ledger.ts';

const homes = ledgerHomes();

describe('facts of sessions', () => {
  it('are those of their newest attributions; unknown sessions are absent', async () => {
    const ledger = await homes.open();
    await post(ledger, [
      ...memberEvents({ id: 'root', nanoUsd: 1 }),
      ...memberEvents({ id: 'sub', parent: 'root', agent: 'subagent', agentName: 'Explore' }),
      exampleEvent({ number: 900, subject: 'bare' }),
    ]);
    await ledger.subscription.catchUp();
    const read = createSessionFacts(ledger.views);
    const facts = await read(['root', 'sub', 'sub', 'bare', 'unknown']);
    expect([...facts.keys()].toSorted()).toEqual(['root', 'sub']);
    expect(facts.get('root')).toMatchObject({
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
    expect(facts.get('sub')).toMatchObject({
      agentKind: 'subagent',
      agentName: 'Explore',
      parentSessionId: 'root',
    });
  });

  it('of many sessions are read in parts', async () => {
    const ids = Array.from({ length: 45 }, (_, index) => `session ${index}`);
    const ledger = await homes.open();
    await post(
      ledger,
      ids.flatMap((id) => memberEvents({ id })),
    );
    await ledger.subscription.catchUp();
    expect((await createSessionFacts(ledger.views)(ids)).size).toBe(45);
  });

  it('of events call a session ignored when whose it was may have been deleted', async () => {
    const known = factsOfEvents(noRules);
    for (const event of memberEvents({ id: 'kept' })) known.add(event);
    expect([...(await known.read(['kept', 'begun before'])).keys()]).toEqual(['kept']);
    known.add(exampleEvent({ number: 901, type: 'pi.history.sealed.v1' }));
    const facts = await known.read(['kept', 'begun before']);
    expect(facts.get('kept')?.isIgnored).toBe(false);
    expect(facts.get('begun before')?.isIgnored).toBe(true);
  });
});
