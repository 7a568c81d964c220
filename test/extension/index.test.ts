import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { listTriggers } from '../../extension/live/triggers.ts';
import { loadedExtension, prompt } from './support/loaded-extension.ts';

const { home, run, events } = loadedExtension();
let server: Server | null = null;
afterEach(() => {
  server?.close();
  server = null;
});

describe('the extension, loaded as a host loads it', () => {
  it('registers its hooks and answers none of them, but for the end of the process', async () => {
    const { hooks, answers, notices, stderr } = await run();
    expect(hooks).toEqual(listTriggers('pi', false));
    expect(answers).toEqual(['undefined', 'session_shutdown: Promise']);
    expect([notices, stderr]).toEqual([[], '']);
    expect(events().map(({ type }) => type)).toEqual([
      'pi.session.started.v1',
      'pi.session.attributed.v1',
      'pi.prompt.submitted.v1',
      'pi.turn.completed.v1',
      'pi.context.sampled.v1',
      'pi.session.ended.v1',
    ]);
  });

  it('keeps the same producer when the host evaluates it again', async () => {
    await run({ factories: 3 });
    expect(new Set(events().map(({ source }) => source)).size).toBe(1);
    expect(events().map(({ sequence }) => Number(sequence))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('keeps its home to the user', async () => {
    await run();
    for (const path of ['ledger', 'ledger/spool', 'ledger/spool/marks'])
      expect(statSync(join(home(), path)).mode & 0o777).toBe(0o700);
  });

  it('returns at once if a session ends but the process continues', async () => {
    const { answers } = await run({
      events: [
        ['session_start', {}],
        ['session_shutdown', { reason: 'fork' }],
      ],
    });
    expect(answers).toEqual(['undefined']);
  });

  it('waits at the end no longer than it was told for a collector that hangs', async () => {
    server = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { wallMs: patient } = await run({ env: { PI_LEDGER_URL: url } });
    expect(patient).toBeGreaterThan(1_000);
    expect(events()).toHaveLength(6);
  });

  it.each([
    [401, 'rejects the token (401)'],
    [404, 'is not a trusted collector'],
  ])('shows a problem of the last attempt on stderr: status %i', async (status, words) => {
    server = createServer((_request, response) => response.writeHead(status).end()).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => server?.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    mkdirSync(join(home(), 'ledger'));
    writeFileSync(join(home(), 'ledger', 'config.json'), '{ "flushOnExitMs": 15000 }');
    const { stderr, notices } = await run({ hasUI: false, env: { PI_LEDGER_URL: url } });
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(words)]);
    expect([notices, events().length]).toEqual([[], 6]);
  });

  it('accounts to the parent named in its environment, and waits at its end', async () => {
    const { answers } = await run({ env: { PI_LEDGER_PARENT: 'parent-session turn-1' } });
    const parents = events().filter(({ type }) => type === 'pi.subagent.accounted.v1');
    expect(parents).toMatchObject([
      {
        subject: 'parent-session',
        data: { childSessionId: 's1', keys: ['turn:turn-1', expect.anything()] },
      },
    ]);
    expect(events().find(({ type }) => type === 'pi.session.attributed.v1')).toMatchObject({
      data: { agent: { kind: 'subagent' }, parentSessionId: 'parent-session' },
    });
    expect(answers).toContain('session_shutdown: Promise');
  });

  it('says once that it is of a private stretch, and records nothing', async () => {
    const env = { PI_LEDGER_PARENT: 'private:x' };
    const { stderr, notices } = await run({ hasUI: false, env });
    expect(stderr.match(/does not record this session: [^\n]* is paused/g)).toHaveLength(1);
    expect(notices).toEqual([]);
    expect(events().filter(({ type }) => type === 'pi.turn.completed.v1')).toEqual([]);
  });

  it('shows what it knows with /ledger', async () => {
    const { notices } = await run({ events: [...prompt.slice(0, 2), ['/ledger', {}]] });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/^Session: 1 record · 100 in, 7 out, 3 cached · \$0\.0001\n/);
  });
});
