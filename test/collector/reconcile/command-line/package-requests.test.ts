/** Requests by packages, which no session file tells of: counted, named, and no fault. */
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvent } from '../../support/events.ts';
import { commandLine } from '../support/command-line.ts';
import { outcome } from '../support/outcome.ts';

const directory = temporaryDirectory();
const session = '019b0000-0000-7000-8000-000000000001';

const observed = (number: number, unexplained: number, explainedLater: number) =>
  exampleEvent({
    number,
    type: 'pi.requests.observed.v1',
    time: '2026-05-05T09:02:00.000Z',
    subject: session,
    source: '/producers/p1',
    data: { host: 'llm.example', provider: 'anthropic', unexplained, explainedLater },
  });

test.each(['in order', 'in reverse'])('are explained and counted once, %s', async (order) => {
  const pi = mkdtempSync(join(directory, 'pi-'));
  const ledger = commandLine(directory);
  const timestamp = '2026-05-05T09:00:00.000Z';
  const answer = {
    type: 'message',
    id: '0a1b2c3d',
    parentId: null,
    timestamp: '2026-05-05T09:01:00.000Z',
    message: {
      role: 'assistant',
      content: [],
      provider: 'anthropic',
      model: 'claude',
      stopReason: 'stop',
      usage: { input: 50, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 0.01 } },
    },
  };
  const lines = [{ type: 'session', version: 3, id: session, timestamp, cwd: '/srv' }, answer];
  writeFileSync(
    join(pi, `2026-05-05T09-00-00-000Z_${session}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const events = [observed(1, 3, 0), observed(2, 2, 0), observed(3, 0, 1)];
  const file = join(pi, 'events.ndjson');
  const sorted = order === 'in order' ? events : events.toReversed();
  writeFileSync(file, sorted.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  cpSync(pi, sessions, { recursive: true, filter: (path) => !path.endsWith('.ndjson') });
  expect(await ledger.run('import', '--pi', sessions)).toMatchObject({ code: 0 });
  expect(await ledger.run('import-events', file)).toMatchObject({ code: 0 });
  expect(await outcome(ledger, '--pi', sessions)).toMatchObject({
    code: 0,
    explained: ['package_requests'],
    faults: [],
  });
  const { printed } = await ledger.run('reconcile', '--pi', sessions);
  expect(printed).toContain('package_requests x4');
  expect(printed).toContain('Not known: what 4 requests by packages cost.');
  const { total } = JSON.parse((await ledger.run('report', '--json')).printed);
  expect(total).toMatchObject({ records: 5, unreportedRecords: 4, packageRequests: 4 });
  const report = (await ledger.run('report')).printed;
  expect(report).toContain('4 requests by packages: no entry says more, cost unknown');
  expect(report).not.toContain('reported nothing');
});
