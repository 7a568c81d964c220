import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../../collector/main.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import type { SumRow } from '../../../../collector/views/views.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { ledgerHomes, post } from '../../support/ledger.ts';
import { sessionEvents } from '../../support/work.ts';
import { html, writePage } from './page-fixture.ts';

const homes = ledgerHomes();
const directory = temporaryDirectory();
const opened: Ledger[] = [];
afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close();
});

const hostile = '</script><script>alert(1)</script><!--';
let places = 0;

/** `asks`: the text of the function that the page exports. */
async function open(asks: string, auth?: 'required'): Promise<Ledger> {
  places += 1;
  const pageDirectory = writePage(join(directory, String(places)), `export ${asks}`);
  const ledger = await openLedger(
    { ...homes.config(), ...(auth === undefined ? {} : { auth }) },
    {
      pageDirectory,
      machineToken: 'of-this-machine',
      now: () => Date.parse('2026-11-22T12:00:00.000Z'),
    },
  );
  opened.push(ledger);
  return ledger;
}

const headers = { host: 'localhost' };

async function bodyOf(ledger: Ledger, url: string): Promise<string> {
  const { body, statusCode } = await ledger.app.inject({ url, headers });
  expect(statusCode).toBe(200);
  return body;
}

/** Null: the document is as it was built. */
function firstOf(body: string): Record<string, unknown> | null {
  if (body === html) return null;
  const found = /<script type="application\/json" id="first-answers">(.*?)<\/script>/s.exec(body);
  expect(body.replace(found?.[0] ?? '', '')).toBe(html);
  return JSON.parse(found?.[1] ?? '');
}

/** Asks until these are there: on a busy machine the first ones take too long to be waited for. */
async function bodyWith(ledger: Ledger, url: string, asks: readonly string[]): Promise<string> {
  return eventually(async () => {
    const body = await bodyOf(ledger, url);
    expect(Object.keys(firstOf(body) ?? {})).toEqual(asks);
    return body;
  });
}

describe('where no token is needed, the document', () => {
  it('holds the answers that its view asks first', async () => {
    const ledger = await open(`const asksOf = (url, now) =>
      ['/v1/usage?by=project&since=' + new Date(now).toISOString().slice(0, 10),
       '/v1/sessions' + url.slice(url.indexOf('?'))]`);
    const asks = ['/v1/usage?by=project&since=2026-11-22', '/v1/sessions?project=shop'];
    const first = firstOf(await bodyWith(ledger, '/projects/shop?project=shop', asks));
    for (const url of asks)
      expect(first?.[url]).toEqual((await ledger.app.inject({ url, headers })).json());
  });

  it('is told the zone of the collector', async () => {
    const ledger = await open(
      "const asksOf = (url, now, zone) => ['/v1/usage?timezone=' + encodeURIComponent(zone)]",
    );
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    await bodyWith(ledger, '/', [`/v1/usage?timezone=${encodeURIComponent(timeZone)}`]);
  });

  it('ends where it ended, whatever a project is called', async () => {
    const ledger = await open("const asksOf = () => ['/v1/usage?by=project']");
    const events = sessionEvents({
      id: 'one',
      project: hostile,
      startedAt: '2026-11-16T09:00:00.000Z',
      turns: [{ time: '2026-11-16T09:05:00.000Z', nanoUsd: 5_000 }],
    });
    const sent = await post(ledger, events, { host: 'localhost' });
    expect(sent.json()).toMatchObject({ rejected: [] });
    const body = await bodyWith(ledger, '/', ['/v1/usage?by=project']);
    expect(body.match(/<\/script>/g)).toHaveLength(1);
    expect(body).not.toContain('<!--');
    expect(JSON.stringify(firstOf(body))).toContain('alert(1)');
  });

  it('holds none that failed, and the others all the same', async () => {
    const ledger = await open(
      "const asksOf = () => ['/v1/sessions/nope', '/v1/models', '/v1/usage?by=nonsense']",
    );
    await bodyWith(ledger, '/', ['/v1/models']);
  });

  it.each([
    ['throws', "const asksOf = () => { throw new Error('no') }"],
    ['asks nothing', 'const asksOf = () => []'],
    ['asks for something else', "const asksOf = () => ['/metrics']"],
    ['says no list', 'const asksOf = () => 12'],
    ['is something else', 'const asksOf = 12'],
    ['is missing', 'const other = 12'],
    ['is no script', 'const = ;'],
  ])('comes as it is where the list of asks %s', async (_, asks) => {
    expect(firstOf(await bodyOf(await open(asks), '/'))).toBeNull();
  });

  it('comes with what is there in time', async () => {
    const ledger = await open("const asksOf = () => ['/v1/models', '/v1/usage', '/v1/tools']");
    const late = Promise.withResolvers<readonly SumRow[]>();
    const { views } = ledger.parts.store;
    const sum = views.sum;
    let sums = 0;
    views.sum = (...query) => {
      sums += 1;
      return query[1].name === 'usage' && query[2].by.includes('project')
        ? late.promise
        : sum(...query);
    };
    await bodyWith(ledger, '/', ['/v1/models']);
    expect(sums).toBeGreaterThan(0);
    late.resolve([]);
  });
});

it('where tokens are required, the document holds no answers, whoever asks', async () => {
  const ledger = await open("const asksOf = () => ['/v1/models']", 'required');
  expect(firstOf(await bodyOf(ledger, '/'))).toBeNull();
});
