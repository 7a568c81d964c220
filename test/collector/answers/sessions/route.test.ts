import { describe, expect, it } from 'vitest';
import { exampleEvent } from '../../support/events.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';
import { sessionEvents, work } from '../../support/work.ts';

const homes = ledgerHomes();

async function worked() {
  const ledger = await homes.open();
  await post(ledger, work);
  return ledger;
}

const ids = (answer: { json(): { rows: { id: string }[] } }) =>
  answer.json().rows.map(({ id }) => id);

describe('GET /v1/sessions', () => {
  it('lists sessions, last seen first, with attribution, counts and total spend', async () => {
    const ledger = await worked();
    const answer = await get(ledger, '/v1/sessions');
    expect(ids(answer)).toEqual(['s-blog', 's-lost', 's-shop']);
    expect(answer.json().rows[2]).toEqual({
      id: 's-shop',
      project: 'shop',
      branch: 'main',
      user: 'ada',
      claimedUser: 'ada',
      attribution: 'live',
      machine: 'workbench',
      host: 'pi',
      hostVersion: '0.87.1',
      mode: 'tui',
      agentKind: 'main',
      agentName: null,
      parentSessionId: null,
      rootSessionId: 's-shop',
      relation: null,
      startedAt: '2026-11-16T09:00:00.000Z',
      lastSeenAt: '2026-11-17T09:05:00.000Z',
      endedAt: null,
      prompts: 0,
      turns: 3,
      toolCalls: 0,
      compactions: 0,
      copies: [],
      records: 3,
      inputTokens: 200,
      outputTokens: 20,
      cacheReadTokens: 40,
      cacheWriteTokens: 60,
      reasoningTokens: 10,
      meteredNanoUsd: '5000',
      subscriptionNanoUsd: '7000',
      unknownBillingNanoUsd: '0',
      unpricedRecords: 0,
      unreportedRecords: 1,
      unreportedTokensMax: 0,
      unreportedNanoUsdMax: '0',
      packageRequests: 0,
      streamedAnswers: 0,
      byBilling: answer.json().rows[2].byBilling,
    });
    expect(answer.json().rows[2].byBilling.subscription).toMatchObject({
      inputNanoUsd: '820000',
      unreportedRecords: 0,
    });
    expect(answer.json().rows[1]).toMatchObject({
      id: 's-lost',
      project: null,
      user: null,
      records: 1,
    });
  });

  const filters: [query: string, found: string[]][] = [
    ['project=shop', ['s-shop']],
    ['project=', ['s-lost']],
    ['user=ada&user=bob', ['s-blog', 's-shop']],
    ['model=tiny', ['s-blog']],
    ['provider=anthropic', ['s-blog', 's-lost', 's-shop']],
    ['provider=openai&user=bob', []],
    ['host=pi', ['s-blog', 's-shop']],
    ['since=2026-11-18', ['s-blog', 's-lost']],
    // The 22nd where Bob is, though it was the 21st in UTC.
    ['since=2026-11-22', ['s-blog']],
    ['until=2026-11-21', ['s-lost', 's-shop']],
    ['since=2026-11-17&until=2026-11-17', ['s-shop']],
    ['since=0000-01-01&until=9999-12-31', ['s-blog', 's-lost', 's-shop']],
    ['since=2026-11-21T22:00:00Z', ['s-blog']],
    ['until=2026-11-20T08:00:00Z', ['s-shop']],
    ['since=2026-11-22&timezone=UTC', []],
    ['since=2026-11-22&timezone=Asia/Tokyo', ['s-blog']],
    ['until=2026-11-16&timezone=Asia/Tokyo', ['s-shop']],
    // Nine in the morning of the 16th in UTC is the evening before there.
    ['until=2026-11-15', []],
    ['until=2026-11-15&timezone=Pacific/Niue', ['s-shop']],
    ['since=0000-01-01&until=9999-12-31&timezone=Asia/Kathmandu', ['s-blog', 's-lost', 's-shop']],
  ];

  it.each(filters)('narrowed by %s', async (query, found) => {
    const ledger = await worked();
    expect(ids(await get(ledger, `/v1/sessions?${query}`))).toEqual(found);
    const counted = await get(ledger, `/v1/sessions?${query}&limit=1&total=include`);
    expect(counted.json().total).toBe(found.length);
  });

  it('counts only when asked', async () => {
    expect((await get(await worked(), '/v1/sessions?limit=1')).json()).not.toHaveProperty('total');
  });

  it('refuses an unknown time zone', async () => {
    expect((await get(await worked(), '/v1/sessions?timezone=Mars/Olympus')).json()).toMatchObject({
      code: 'bad_parameter',
      field: 'timezone',
    });
  });

  it('pages through sessions that were seen at the same time, each once', async () => {
    const ledger = await homes.open();
    const events = Array.from({ length: 25 }, (_, n) =>
      exampleEvent({ number: n + 1, subject: `s-${String(n).padStart(2, '0')}` }),
    );
    await post(ledger, events);
    const seen: string[] = [];
    let cursor = '';
    do {
      const answer = (
        await get(ledger, `/v1/sessions?limit=4&model=claude-sonnet-5${cursor}`)
      ).json();
      seen.push(...answer.rows.map(({ id }: { id: string }) => id));
      cursor = answer.next === null ? '' : `&cursor=${encodeURIComponent(answer.next)}`;
    } while (cursor !== '');
    expect(seen.toSorted()).toEqual(events.map(({ subject }) => subject));
  });

  it('says where copies of a session’s entries are', async () => {
    const ledger = await worked();
    const copy = (copySessionId: string, entries: number, ownerAssumed: boolean) => ({
      copySessionId,
      entries,
      spendEntries: 8,
      ownerAssumed,
    });
    const place = { type: 'pi.session.copied.v1' as const, subject: 's-shop', sequence: 0 };
    await post(ledger, [
      exampleEvent({ ...place, number: 1, data: copy('s-fork', 21, false) }),
      exampleEvent({ ...place, number: 2, data: copy('s-clone', 20, true) }),
    ]);
    const copies = [
      { session: 's-fork', entries: 21, spendEntries: 8, ownerAssumed: false },
      { session: 's-clone', entries: 20, spendEntries: 8, ownerAssumed: true },
    ];
    const { rows } = (await get(ledger, '/v1/sessions?project=shop')).json();
    expect(
      rows[0].copies.toSorted(
        (a: { entries: number }, b: { entries: number }) => b.entries - a.entries,
      ),
    ).toEqual(copies);
    expect(rows[0]).toMatchObject({ records: 3 });
    expect((await get(ledger, '/v1/sessions/s-blog')).json().copies).toEqual([]);
    expect((await get(ledger, '/v1/sessions?format=csv&project=shop')).text).toContain(
      '""session"":""s-fork""',
    );
  });

  it('is CSV when asked', async () => {
    const { text } = await get(await worked(), '/v1/sessions?format=csv&project=shop');
    expect(text).toMatch(/^id,project,branch,user,.*\r\ns-shop,shop,main,ada,.*\r\n$/);
  });
});

describe('GET /v1/sessions/:id', () => {
  it('shows one session with its tools', async () => {
    const ledger = await homes.open();
    const id = 'session with spaces/and slashes';
    const tools = [false, true].map((isError, n) =>
      exampleEvent({ number: n + 1, type: 'pi.tool.completed.v1', subject: id, data: { isError } }),
    );
    await post(ledger, tools);
    const answer = (await get(ledger, `/v1/sessions/${encodeURIComponent(id)}`)).json();
    expect(answer).toMatchObject({
      id,
      toolCalls: 2,
      toolErrors: 1,
      tools: [{ name: 'read', calls: 2, errors: 1 }],
    });
  });

  it('is 404 for an unknown one', async () => {
    expect((await get(await worked(), '/v1/sessions/s-none')).json().code).toBe('not_found');
  });

  it('agrees with /v1/usage', async () => {
    const ledger = await worked();
    await post(
      ledger,
      sessionEvents({
        id: 's-x',
        project: 'x',
        startedAt: '2026-11-20T08:00:00.000Z',
        turns: [{ time: '2026-11-20T08:00:00.000Z' }],
      }),
    );
    for (const row of (await get(ledger, '/v1/sessions')).json().rows) {
      const { total } = (await get(ledger, `/v1/usage?session=${row.id}`)).json();
      expect(row).toMatchObject(total);
    }
  });
});
