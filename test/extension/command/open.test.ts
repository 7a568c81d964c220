/** `/ledger open`: which address goes to which program, and what is said where none starts. */
import { describe, expect, it } from 'vitest';
import { openPage, pageAddress, systemBrowser } from '../../../extension/command/open.ts';
import type { CollectorConnection } from '../../../extension/shipping/connection.ts';
import { servedCollectors } from '../../collector/support/served.ts';

const served = servedCollectors();
const patientMs = 60_000;
const id = '01a1addd-51a6-7c53-8f5c-1e5b7f5a2f10';

interface Place {
  readonly platform?: NodeJS.Platform;
  readonly environment?: Readonly<Record<string, string>>;
  readonly failure?: string;
}

async function openedIn({ platform = 'linux', environment = {}, failure }: Place) {
  const { collector, config } = await served.start({ auth: 'auto' });
  const { url } = collector;
  const own: CollectorConnection = {
    url,
    isUrlNamed: false,
    token: null,
    home: config.home,
    nowMs: Date.now,
    timeoutMs: patientMs,
  };
  const started: (readonly string[])[] = [];
  const start = (command: string, args: readonly string[]) => {
    started.push([command, ...args]);
    return Promise.resolve(failure ?? null);
  };
  const said = await openPage(own, id, { platform, environment, start });
  return { page: `${url}/sessions/${id}`, said, started };
}

describe('/ledger open', () => {
  it("opens the session's page by the system's own program", async () => {
    const mac = await openedIn({ platform: 'darwin' });
    expect(mac.started).toEqual([['open', mac.page]]);
    expect(mac.said).toBe(`Opened ${mac.page}`);
    const windows = await openedIn({ platform: 'win32' });
    expect(windows.started).toEqual([['rundll32', 'url.dll,FileProtocolHandler', windows.page]]);
    for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) {
      const linux = await openedIn({ environment: { [name]: ':0' } });
      expect(linux.started).toEqual([['xdg-open', linux.page]]);
    }
  });

  it('prints the address where nobody would see a browser', async () => {
    const remote = { DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 5 10.0.0.2 22' };
    for (const environment of [{}, remote, { DISPLAY: ':0', SSH_TTY: '/dev/pts/1' }]) {
      const { page, said, started } = await openedIn({ environment });
      expect([said, started]).toEqual([`Open this in a browser: ${page}`, []]);
    }
  });

  it('says why no browser could be started, and prints the address', async () => {
    const { page, said } = await openedIn({ platform: 'darwin', failure: 'spawn open ENOENT' });
    expect(said).toBe(`No browser could be started (spawn open ENOENT). Open this in one: ${page}`);
    expect(await systemBrowser.start('/no/such/program', [])).toContain('ENOENT');
    expect(await systemBrowser.start('\0', [])).not.toBeNull();
  });

  it('opens nothing where no collector proves that it is ours', async () => {
    const started: string[] = [];
    const browser = {
      platform: 'darwin' as const,
      environment: {},
      start: (command: string) => Promise.resolve(started.push(command) > 9 ? '' : null),
    };
    const nobody = { url: 'http://127.0.0.1:9', isUrlNamed: false, token: null, home: '/none' };
    const said = await openPage({ ...nobody, nowMs: Date.now }, id, browser);
    expect(said).toMatch(/^The page is not opened: no collector answers \(\w+\)\. It would be at /);
    expect(await openPage({ ...nobody, url: () => null, nowMs: Date.now }, id, browser)).toBe(
      'The page is not opened: no collector is running on this home.',
    );
    expect(started).toEqual([]);
  });
});

describe("the page's address", () => {
  it('has the session and nothing else', () => {
    expect(pageAddress('https://ada:secret@ledger.example/base/?token=x#y', id)).toBe(
      `https://ledger.example/base/sessions/${id}`,
    );
    expect(pageAddress('http://127.0.0.1:7717', null)).toBe('http://127.0.0.1:7717/');
    expect(pageAddress('http://127.0.0.1:7717', 'a/b c&d')).toBe(
      'http://127.0.0.1:7717/sessions/a%2Fb%20c%26d',
    );
  });

  it('is http or none', () => {
    for (const base of ['file:///etc/passwd', 'javascript:alert(1)', 'not a url'])
      expect(pageAddress(base, id)).toEqual({ why: 'the collector has no http address' });
  });
});
