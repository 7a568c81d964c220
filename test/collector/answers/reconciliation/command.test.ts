/** A member whose token reads only its own compares session files with a team's ledger. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLines } from '../../support/command-lines.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const commandLine = commandLines();
const directory = temporaryDirectory();

/** A folder with one session of two answers. */
function sessionsOf(user: string): string {
  const folder = join(directory, user);
  const at = (minute: number) => `2026-11-20T09:0${minute}:00.000Z`;
  const answer = (number: number) => {
    const cost = { input: 0.5, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 };
    const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost };
    const message = { role: 'assistant', provider: 'openai', model: 'm', usage };
    return {
      type: 'message',
      id: `${user}000${number}`,
      parentId: null,
      timestamp: at(number),
      message: { ...message, stopReason: 'stop', responseId: `${user}-${number}` },
    };
  };
  const header = { type: 'session', version: 3, id: `of-${user}`, timestamp: at(0), cwd: '/shop' };
  mkdirSync(folder);
  writeFileSync(
    join(folder, 's.jsonl'),
    [header, answer(1), answer(2)].map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  return folder;
}

describe('reconcile with a token that reads only its own', () => {
  it('compares what counts for its user, and sees nothing of others', async () => {
    const server = commandLine();
    const member = async (user: string) => {
      const scopes = ['--scope', 'ingest', '--scope', 'read', '--only-own', '--json'];
      const made = await server.run('token', 'create', '--user', user, ...scopes);
      return JSON.parse(made.printed).token as string;
    };
    const [ada, bob] = [await member('ada'), await member('bob')];
    const { url } = await server.start({ auth: 'required' });
    const client = (token: string) => {
      const { run, env } = commandLine();
      Object.assign(env, { PI_LEDGER_URL: url, PI_LEDGER_TOKEN: token });
      return run;
    };
    const [asAda, asBob] = [client(ada), client(bob)];
    const [adas, bobs] = [sessionsOf('ada'), sessionsOf('bob')];
    expect((await asAda('import', '--pi', adas)).code).toBe(0);
    expect((await asBob('import', '--pi', bobs)).code).toBe(0);

    const { code, printed, complained } = await asAda('reconcile', '--pi', adas, '--json');
    const { sessions, totals } = JSON.parse(printed);
    expect(code).toBe(0);
    expect(complained).toContain('This token reads only its own');
    expect(sessions.map(({ session }: { session: string }) => session)).toEqual(['of-ada']);
    expect(totals.inLog).toEqual(totals.inFiles);
    expect(totals.inViews).toEqual(totals.inFiles);

    const others = await asAda('reconcile', '--pi', bobs, '--json');
    expect(others.code).toBe(1);
    const own = await fetch(`${url}/v1/log/own`, { headers: { authorization: `Bearer ${ada}` } });
    const text = await own.text();
    expect(text).toContain('of-ada');
    expect(text).not.toContain('bob');
  });

  it('is refused to tokens that read more than their own: these need admin', async () => {
    const server = commandLine();
    const create = ['token', 'create', '--user', 'eve', '--scope', 'read', '--json'];
    const { token } = JSON.parse((await server.run(...create)).printed);
    const { url } = await server.start({ auth: 'required' });
    const { run, env } = commandLine();
    Object.assign(env, { PI_LEDGER_URL: url, PI_LEDGER_TOKEN: token });
    expect(await run('reconcile', '--pi', directory)).toMatchObject({
      code: 1,
      complained: expect.stringContaining('admin'),
    });
  });
});
