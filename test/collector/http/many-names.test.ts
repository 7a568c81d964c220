/** What models, tools, agents, labels and branches are called is up to who sends. */
import { describe, expect, it } from 'vitest';
import { type Guarded, guardedLedgers } from '../support/guarded.ts';
import { get, ledgerHomes } from '../support/ledger.ts';
import { eventsPerName, type Names, sessionsOfNames } from '../support/many-names.ts';
import { turnsOfOthers } from '../support/turns.ts';

const guarded = guardedLedgers();
const homes = ledgerHomes();
const shownMax = 1_000;
const eves = 1_200;
const adas = 30;

/** A name for each list, as its rows have it. */
const lists = {
  '/v1/models': 'model',
  '/v1/models/days': 'model',
  '/v1/tools': 'tool',
  '/v1/tools/costs': 'tool',
  '/v1/tools/models': 'tool',
  '/v1/runs?by=agent': 'agent',
  '/v1/usage?by=model': 'model',
  '/v1/usage?by=agent': 'agent',
  '/v1/usage?by=branch': 'branch',
  '/v1/usage?by=label:ticket': 'label:ticket',
} as const;

interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly total?: Readonly<Record<string, unknown>>;
  readonly hiddenNames?: number;
  readonly next: string | null;
}

const ofEve: Names = { prefix: 'eve-', count: eves, firstNumber: 1_000_000, user: 'eve' };
const ofAda: Names = { prefix: 'ada-', count: adas, firstNumber: 1, nanoUsd: () => 1 };

/** `turned`: the last sessions come first. */
async function send({ ask, make }: Guarded, names: Names, turned = false): Promise<void> {
  const { text: token } = await make({ user: names.user ?? 'ada', scopes: ['ingest'] });
  const sessions = [...sessionsOfNames(names)];
  const events = (turned ? sessions.toReversed() : sessions).flat();
  for (let from = 0; from < events.length; from += 2_000) {
    const body = events.slice(from, from + 2_000);
    const { text } = await ask({ method: 'POST', url: '/v1/events', token, body });
    expect(JSON.parse(text)).toMatchObject({ accepted: body.length });
  }
}

async function attacked(turned = false): Promise<Guarded> {
  const subject = await guarded.open({ requestsPerMinuteMax: 0 });
  for (const names of turned ? [ofAda, ofEve] : [ofEve, ofAda]) await send(subject, names, turned);
  await subject.ledger.subscription.catchUp();
  return subject;
}

async function all({ ask, machineToken: token }: Guarded, url: string): Promise<Answer> {
  const rows: Answer['rows'][number][] = [];
  const sign = url.includes('?') ? '&' : '?';
  for (let cursor = ''; ; ) {
    const page = await ask({ url: `${url}${sign}limit=1000${cursor}`, token });
    const answer: Answer = JSON.parse(page.text);
    rows.push(...answer.rows);
    if (answer.next === null) return { ...answer, rows };
    cursor = `&cursor=${answer.next}`;
  }
}

const namesIn = ({ rows }: Answer, name: string): ReadonlySet<string> =>
  new Set(rows.map((row) => String(row[name])));

describe('a user of very many names', () => {
  it('has rows for a thousand of them, and hides none of others', async () => {
    const subject = await attacked();
    for (const [url, name] of Object.entries(lists)) {
      const answer = await all(subject, url);
      const names = [...namesIn(answer, name)];
      const of = (prefix: string) => names.filter((each) => each.startsWith(prefix)).length;
      expect([url, of('ada-'), of('eve-')]).toEqual([url, adas, shownMax]);
      const bothNames = url === '/v1/tools/models' ? 2 : 1;
      expect([url, answer.hiddenNames]).toEqual([url, bothNames * (eves - shownMax)]);
      expect(names).toContain('(other)');
    }
  });

  it('has the same rows in whatever order they came', async () => {
    const [one, other] = [await attacked(), await attacked(true)];
    for (const url of Object.keys(lists))
      expect(await all(other, url), url).toEqual(await all(one, url));
  });

  it('has the largest in rows, and the others in the total', async () => {
    const subject = await attacked();
    const { rows, total } = await all(subject, '/v1/usage?by=model&sessions=include');
    const cost = ({
      meteredNanoUsd,
      subscriptionNanoUsd,
      unknownBillingNanoUsd,
    }: object & {
      readonly [name: string]: unknown;
    }) =>
      [meteredNanoUsd, subscriptionNanoUsd, unknownBillingNanoUsd].map((n) => BigInt(String(n)));
    const sum = rows.map(cost).reduce((a, b) => a.map((one, at) => one + (b[at] ?? 0n)));
    expect(sum).toEqual(cost(total ?? {}));
    const shown = [...namesIn({ rows, next: null }, 'model')].filter((name) => name !== '(other)');
    const last = String(eves - shownMax).padStart(5, '0');
    expect(shown.filter((name) => name < `eve-${last}` && name.startsWith('eve-'))).toEqual([]);
    const rest = rows.find(({ model }) => model === '(other)');
    expect(rest).toMatchObject({ sessions: eves - shownMax, records: 2 * (eves - shownMax) });
    expect(total).toMatchObject({ sessions: eves + adas });
  });

  it('is asked for by name as before', async () => {
    const subject = await attacked();
    const { rows, hiddenNames } = await all(subject, '/v1/models?model=eve-00000');
    expect(rows).toMatchObject([{ model: 'eve-00000', records: 2 }]);
    expect(hiddenNames).toBeUndefined();
  });

  it('takes no series of metrics from others', async () => {
    const subject = await attacked();
    const { ask, machineToken: token, ledger } = subject;
    await ask({ url: '/metrics', token });
    await send(subject, { ...ofAda, prefix: 'late-', firstNumber: 500_000 });
    await ledger.subscription.catchUp();
    const { text } = await ask({ url: '/metrics', token });
    const series = text.split('\n').filter((line) => line.startsWith('pi_usage_records_total{'));
    const of = (prefix: string) =>
      new Set(series.flatMap((line) => line.match(`model="(${prefix}[^"]*)"`)?.[1] ?? [])).size;
    expect([of('ada-'), of('late-')]).toEqual([adas, adas]);
    expect(series.filter((line) => line.includes('model="eve-'))).toHaveLength(1_000);
    expect(text).toMatch(/pi_metrics_hidden_series\{[^}]*\} [1-9]/);
  });
});

it('an answer about many names leaves the thread to others while it is made', async () => {
  const sessions = [...sessionsOfNames({ ...ofEve, count: 1_500 })];
  const events = sessions.flat();
  expect(events).toHaveLength(1_500 * eventsPerName);
  const batches = Array.from({ length: 3 }, (_, at) => events.slice(at * 3_000, (at + 1) * 3_000));
  const ledger = await homes.holding();
  for (const batch of batches) await ledger.ingest.accept(batch);
  await ledger.subscription.catchUp();
  for (const url of [...Object.keys(lists), '/v1/totals', '/metrics']) {
    const turns = await turnsOfOthers(() =>
      url === '/metrics' ? ledger.app.inject(url) : get(ledger, url),
    );
    expect([url, turns > 12]).toEqual([url, true]);
  }
  const page = await turnsOfOthers(() => get(ledger, '/v1/sessions?limit=1000'));
  expect(page).toBeGreaterThan(3);
});
