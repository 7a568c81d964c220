import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reconciled } from '@pi-ledger/contract/answers';
import { afterAll, describe, expect, it } from 'vitest';
import { createLastReconciliation } from '../../../../collector/process/last-reconciliation.ts';
import { guardedLedgers } from '../../support/guarded.ts';

const outcome: Reconciled = {
  at: '2026-11-22T20:14:07.112Z',
  isExplained: true,
  files: 3,
  sessions: 2,
  records: 9,
  reasons: [
    { reason: 'copied', isExplained: true, sentence: 'Copied entries.', sessions: 1, count: 4 },
  ],
};

describe('GET /v1/reconciliation', () => {
  const ledgers = guardedLedgers();
  const url = '/v1/reconciliation';

  it('tells what was kept last; who reads a part is told nothing, and keeps nothing', async () => {
    const subject = await ledgers.open();
    const admin = await subject.make({ scopes: ['admin'] });
    const reader = await subject.make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    const ask = async (token: string) => JSON.parse((await subject.ask({ url, token })).text);
    expect(await ask(admin.text)).toEqual({ last: null });
    const keep = (token: string, body: object) => subject.ask({ method: 'POST', url, token, body });
    expect((await keep(reader.text, outcome)).status).toBe(403);
    expect((await keep(admin.text, { ...outcome, records: -1 })).status).toBe(400);
    expect((await keep(admin.text, outcome)).status).toBe(200);
    expect(await ask(admin.text)).toEqual({ last: outcome });
    expect(await ask(reader.text)).toEqual({ last: null });
  });
});

describe('reconciliation.json', () => {
  const home = mkdtempSync(join(tmpdir(), 'pi-ledger-reconciliation-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('keeps the newest outcome; a damaged one is none', () => {
    const last = createLastReconciliation(home);
    expect(last.read()).toBeNull();
    last.keep(outcome);
    last.keep({ ...outcome, isExplained: false });
    expect(createLastReconciliation(home).read()).toEqual({ ...outcome, isExplained: false });
    writeFileSync(join(home, 'reconciliation.json'), '{"at":1}');
    expect(last.read()).toBeNull();
  });
});
