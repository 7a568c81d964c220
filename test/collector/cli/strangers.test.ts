/** Commands when another program listens at their collector's address. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { recordedSessions } from '../importers/support/imports.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { servedCollectors } from '../support/served.ts';

const root = temporaryDirectory();
const served = servedCollectors();
const token = `pil_${'t'.repeat(43)}`;
const heard: {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly bodyBytes: number;
}[] = [];
let redirectTo: string | null = null;
const stranger = createServer((request, response) => {
  let bodyBytes = 0;
  request.on('data', (chunk: Buffer) => {
    bodyBytes += chunk.length;
  });
  request.on('end', () => {
    heard.push({
      path: request.url ?? '',
      authorization: request.headers.authorization,
      bodyBytes,
    });
    if (redirectTo !== null) response.writeHead(307, { location: `${redirectTo}${request.url}` });
    response.end(
      JSON.stringify({
        ready: true,
        storeId: 'mine',
        accepted: 1,
        duplicates: 0,
        expired: 0,
        rejected: [],
        rows: [],
        home: 'x',
        token: null,
      }),
    );
  });
});

let homes = 0;
let home = '';
beforeEach(async () => {
  homes += 1;
  home = join(root, String(homes));
  mkdirSync(home);
  heard.splice(0);
  redirectTo = null;
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  stranger.closeAllConnections();
  await new Promise((resolve) => stranger.close(resolve));
});

const urlOfStranger = (): string => `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;

async function run(
  env: Readonly<Record<string, string>>,
  ...argv: string[]
): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const all = { HOME: home, PI_LEDGER_HOME: home, ...env };
  const code = await main(argv, {
    env: all,
    columns: null,
    colour: false,
    now: () => new Date('2027-01-01'),
    print,
    complain: print,
  });
  return { code, said: lines.join('\n') };
}

/** Only GET requests without a token. */
const expectToldNothing = (): void =>
  expect(
    heard.filter(
      ({ path, authorization, bodyBytes }) =>
        !path.startsWith('/v1/proof') || authorization || bodyBytes > 0,
    ),
  ).toEqual([]);

describe('a command', () => {
  it('asks its own store if a stranger took the port of its killed collector', async () => {
    const left = { url: urlOfStranger(), pid: process.pid, startedAtMs: 0, token, certFile: null };
    writeFileSync(join(home, 'collector.json'), JSON.stringify(left));
    expect((await run({}, 'import', '--pi', join(recordedSessions, 'pi15'))).code).toBe(0);
    const { code, said } = await run({}, 'report', '--json');
    expect({ code, records: JSON.parse(said).total.records > 0 }).toEqual({
      code: 0,
      records: true,
    });
    expectToldNothing();
    expect(heard.length).toBeGreaterThan(0);
  });

  it.each([
    ['report'],
    ['token', 'list'],
    ['import', '--pi', join(recordedSessions, 'pi15')],
    ['rebuild', 'sessions'],
  ])(
    '`%s` that is to ask a named address tells it nothing, and says what to do',
    async (...argv) => {
      const { code, said } = await run(
        { PI_LEDGER_URL: urlOfStranger(), PI_LEDGER_TOKEN: token },
        ...argv,
      );
      expect(code).toBe(1);
      expect(said).toContain('is not a trusted collector');
      expect(said).toContain('PI_LEDGER_TOKEN');
      expectToldNothing();
    },
  );

  it('follows no redirect, not even to a collector', async () => {
    const { collector, token: known } = await served.start();
    redirectTo = collector.url;
    expect(
      (await run({ PI_LEDGER_URL: urlOfStranger(), PI_LEDGER_TOKEN: known.text }, 'report')).code,
    ).toBe(1);
    expectToldNothing();
  });

  it('asks a collector of another home with a token, and not without', async () => {
    const { collector, token: known } = await served.start();
    const { code } = await run(
      { PI_LEDGER_URL: collector.url, PI_LEDGER_TOKEN: known.text },
      'report',
      '--json',
    );
    expect(code).toBe(0);
    expect(await run({ PI_LEDGER_URL: collector.url }, 'report')).toMatchObject({
      code: 1,
      said: expect.stringContaining('token create'),
    });
  });
});

describe('the doctor', () => {
  async function findings(env: Readonly<Record<string, string>>) {
    const { code, said } = await run(env, 'doctor', '--json');
    const found = JSON.parse(said).findings as readonly {
      readonly check: string;
      readonly state: string;
      readonly detail: string;
    }[];
    return {
      code,
      of: (check: string) =>
        found
          .filter((finding) => finding.check === check)
          .map(({ state, detail }) => `${state}: ${detail}`),
    };
  }

  it('names another program on the port of a stopped collector, and sends it nothing', async () => {
    const { code, of } = await findings({
      PI_LEDGER_PORT: new URL(urlOfStranger()).port,
      PI_LEDGER_TOKEN: token,
    });
    expect(code).toBe(1);
    expect(of('collector')).toEqual([expect.stringContaining('note: not running')]);
    expect(of('port')).toEqual([
      expect.stringMatching(
        /^bad: Another program uses the collector's port.*not a trusted collector.*another `port`/,
      ),
    ]);
    expectToldNothing();
    expect(heard.length).toBeGreaterThan(0);
  });

  it('names one that speaks no HTTP', async () => {
    const mute = createTcpServer((socket) => socket.resume().end('220 mail.example ESMTP\r\n'));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { of } = await findings({ PI_LEDGER_PORT: String((mute.address() as AddressInfo).port) });
    await new Promise((resolve) => mute.close(resolve));
    expect(of('port')).toEqual([expect.stringContaining('does not answer like a collector')]);
  });

  it('names one at the address that the user named', async () => {
    const { code, of } = await findings({ PI_LEDGER_URL: urlOfStranger(), PI_LEDGER_TOKEN: token });
    expect({ code, collector: of('collector') }).toEqual({
      code: 1,
      collector: [expect.stringContaining('is not a trusted collector')],
    });
    expectToldNothing();
  });

  it('says nothing about a free port or its own collector’s', async () => {
    const { port } = new URL(urlOfStranger());
    await new Promise((resolve) => stranger.close(resolve));
    expect((await findings({ PI_LEDGER_PORT: port })).of('port')).toEqual([]);
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { collector, config } = await served.start();
    expect(
      (
        await findings({ PI_LEDGER_HOME: config.home, PI_LEDGER_PORT: new URL(collector.url).port })
      ).of('port'),
    ).toEqual([]);
  });
});
