import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsv } from '../../../collector/http/formats.ts';
import { sanitizeLine } from '../../../core/text/sanitize.ts';
import { readCsv } from '../support/csv.ts';
import { get, ledgerHomes, post } from '../support/ledger.ts';
import { work } from '../support/work.ts';

const homes = ledgerHomes();

async function worked() {
  const ledger = await homes.open();
  await post(ledger, work);
  return ledger;
}

describe('CSV', () => {
  it('is chosen by parameter or by Accept, and the parameter wins', async () => {
    const ledger = await worked();
    const byParameter = await get(ledger, '/v1/usage?format=csv', { accept: 'application/json' });
    const byHeader = await get(ledger, '/v1/usage', {
      accept: 'text/csv;q=0.9, application/json;q=0.5',
    });
    expect(byParameter.text).toBe(byHeader.text);
    expect(byHeader.headers['content-type']).toContain('text/csv');
    const lines = byHeader.text.split('\r\n');
    expect(lines[0]).toContain(',byBilling.metered.otherNanoUsd,byBilling.metered.otherUsd,');
    const upTo = lines[0]?.split(',').indexOf('byBilling.metered.inputNanoUsd');
    expect(lines.map((line) => line.split(',').slice(0, upTo).join())).toEqual([
      'project,records,inputTokens,outputTokens,cacheReadTokens,cacheWriteTokens,' +
        'reasoningTokens,meteredNanoUsd,meteredUsd,subscriptionNanoUsd,subscriptionUsd,' +
        'unknownBillingNanoUsd,unknownBillingUsd,unpricedRecords,unreportedRecords,' +
        'unreportedTokensMax,unreportedNanoUsdMax,unreportedUsdMax,packageRequests,' +
        'streamedAnswers',
      'shop,3,200,20,40,60,10,5000,0.000005,7000,0.000007,0,0,0,1,0,0,0,0,0',
      ',1,100,10,20,30,5,0,0,0,0,3000,0.000003,0,0,0,0,0,0,0',
      'blog,2,200,20,40,60,10,0,0,0,0,2000,0.000002,1,0,0,0,0,0,0',
      '',
    ]);
  });

  it('quotes by RFC 4180 and can be read back', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            a: fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'x', ' ', ';') }),
            b: fc.integer(),
          }),
        ),
        (rows) => {
          const read = readCsv(toCsv(['a', 'b'], rows));
          expect(read).toEqual([
            ['a', 'b'],
            ...rows.map(({ a, b }) => [sanitizeLine(a), String(b)]),
          ]);
        },
      ),
    );
  });

  it.each(['=1+1', '+1', '-1+2', '@SUM(A1)', ' =1', '\u00a0\u3000=1', '\uff1d1'])(
    'escapes %j, which a spreadsheet would run',
    (text) => {
      expect(readCsv(toCsv(['a'], [{ a: text }]))[1]).toEqual([`'${text}`]);
    },
  );

  it.each([
    '\t=1',
    '\r=1',
    '\n=1',
    '\r\n=1',
    '\ufeff=1',
    '\u200b=1',
    'x\n=1',
    '\u001b]52;c;eA==\u0007',
    '\u202e=1',
    '\u009b',
  ])('makes one plain line of %j', (text) => {
    const [cell = ''] = readCsv(toCsv(['a'], [{ a: text }]))[1] ?? [];
    expect(cell).toMatch(/^[\x20-\x7e]+$/);
    expect(cell).not.toMatch(/^\s*[=+\-@]/);
    expect(JSON.parse(`"${cell}"`)).toBe(text);
  });

  it('leaves negative amounts alone', () => {
    expect(toCsv(['a', 'b'], [{ a: '-17', b: -17 }])).toBe('a,b\r\n-17,-17\r\n');
    expect(toCsv(['netNanoUsd'], [{ netNanoUsd: '-1500000000' }])).toBe(
      'netNanoUsd,netUsd\r\n-1500000000,-1.5\r\n',
    );
  });

  it('has exact dollars beside every amount, and nothing where it is not known', () => {
    const amounts = ['0', '1', '1000000000', '-1', '12345678901234567890', null];
    const rows = amounts.map((costNanoUsd) => ({ costNanoUsd }));
    expect(readCsv(toCsv(['costNanoUsd'], rows)).map(([, dollars]) => dollars)).toEqual([
      'costUsd',
      '0',
      '0.000000001',
      '1',
      '-0.000000001',
      '12345678901.23456789',
      '',
    ]);
  });
});

describe('NDJSON', () => {
  it('is a row per line; the next page stands in a Link header', async () => {
    const ledger = await worked();
    const first = await get(ledger, '/v1/usage?by=project&limit=2', {
      accept: 'application/x-ndjson',
    });
    expect(first.headers['content-type']).toContain('application/x-ndjson');
    const lines = first.text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).project)).toEqual(['shop', null]);
    const next = /^<([^>]+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
    const second = await get(ledger, next, { accept: 'application/x-ndjson' });
    expect(JSON.parse(second.text).project).toBe('blog');
    expect(second.headers.link).toBeUndefined();
  });
});

describe('JSON', () => {
  it.each([
    undefined,
    '*/*',
    'text/html,*/*;q=0.8',
    'application/json',
    'image/png',
    'text/csv;q=0',
  ])('is the answer to Accept: %s', async (accept) => {
    const answer = await get(
      await homes.open(),
      '/v1/usage',
      accept === undefined ? {} : { accept },
    );
    expect(answer.headers['content-type']).toContain('application/json');
  });
});
