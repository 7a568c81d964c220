/** `pi-ledger report` with a token that is told of large groups only. */
import { expect, it } from 'vitest';
import { readCollectorFile } from '../../../../collector/process/collector-file.ts';
import { commandLines } from '../../support/command-lines.ts';
import { batchType } from '../../support/ledger.ts';
import { sessionEvents } from '../../support/work.ts';

const commandLine = commandLines();

function spent(user: string, project: string, month: string) {
  const time = `2025-${month}-16T09:00:00.000Z`;
  const turns = [{ time, nanoUsd: 1_000_000_000 }];
  const id = `${user}-${project}-${month}`;
  return sessionEvents({ id, user, project, startedAt: time, turns });
}

const events = [
  ...['ada', 'bob', 'cy', 'dan'].flatMap((user) => spent(user, 'shop', '10')),
  ...['ada', 'bob', 'cy'].flatMap((user) => spent(user, `${user}s-own`, '10')),
  ...spent('ada', 'shop', '09'),
];

it('has rows of groups, and says until when and what is left out', async () => {
  const server = commandLine();
  const made = await server.run('token', 'create', '--user', 'boss', '--scope', 'read');
  const { url } = await server.start({ auth: 'required', minimumUsers: 3 });
  const token = readCollectorFile(server.env.PI_LEDGER_HOME ?? '')?.token;
  const headers = { 'content-type': batchType, authorization: `Bearer ${token}` };
  const body = JSON.stringify(events);
  expect((await fetch(`${url}/v1/events`, { method: 'POST', headers, body })).status).toBe(200);
  const { run, env } = commandLine();
  Object.assign(env, { PI_LEDGER_URL: url, PI_LEDGER_TOKEN: made.printed });

  const { code, printed, complained } = await run('report');
  expect([code, complained]).toEqual([0, '']);
  expect(printed).toMatch(/^shop .*\$4\.00/m);
  expect(printed).toMatch(/^\(small groups\) .*\$3\.00/m);
  expect(printed).toMatch(/this token is told of groups of several users, in whole months, until/);
  expect(printed).toMatch(/1 month of too few users: in no row, and not in the\s+total/);

  const none = await run('report', '--by', 'day');
  expect([none.code, none.complained]).toEqual([
    1,
    expect.stringContaining('in whole months, by project, provider, model: not day'),
  ]);
  const empty = await run('report', '--model', 'gone');
  expect(empty.printed).toContain('in whole months');
});
