/** Takes the pictures of the page in `docs/page/` from the demo: `npm run screenshots`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../services/chromium/program.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const folder = at('docs/page');

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
}

/** The demo's costliest session has most to show. */
const costliest = '/v1/usage?by=session&project=demo-compiler&limit=1';

const pictures: readonly Picture[] = [
  { name: 'overview', path: '/' },
  { name: 'overview-dark', path: '/', theme: 'dark' },
  { name: 'overview-narrow', path: '/', width: 390 },
  { name: 'project', path: '/projects/demo-weather' },
  { name: 'sessions', path: '/sessions' },
  { name: 'session', path: '/sessions/ID' },
  { name: 'compactions', path: '/compactions' },
  { name: 'models', path: '/models' },
  { name: 'budgets', path: '/budgets' },
  { name: 'health', path: '/health' },
];

const demo = spawn(process.execPath, [at('collector/bin/pi-ledger.mjs'), 'demo', '--days', '61'], {
  // Without a PATH it names its commands `pi-ledger`, and not by where this checkout lies.
  ...{ stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, PATH: undefined } },
});
const { path: executablePath } = await findChromium(process.env);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const url = await urlOf(demo);
  const answer = await fetch(`${url}${costliest}`);
  const { rows }: { rows: { session: string }[] } = JSON.parse(await answer.text());
  mkdirSync(folder, { recursive: true });
  for (const picture of pictures) {
    const path = picture.path.replace('ID', rows[0]?.session ?? '');
    await take(browser, `${url}${path}`, picture);
  }
} finally {
  await browser.close();
  demo.kill('SIGTERM');
}

async function take(from: Browser, url: string, { name, width = 1_440, theme }: Picture) {
  const viewport = { width, height: 900 };
  const context = await from.newContext({
    viewport,
    colorScheme: theme ?? 'light',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForLoadState('load');
  await isDrawn(page);
  const height: number = await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ ...viewport, height });
  await isDrawn(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

/** Nothing has changed for a while. */
async function isDrawn(page: Page): Promise<void> {
  const settledMs = 800;
  await page.evaluate(`new Promise((resolve) => {
    let timer = setTimeout(resolve, ${settledMs});
    new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(resolve, ${settledMs});
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  })`);
}

function urlOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    stdout?.on('data', (data) => {
      said += data;
      const url = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (url !== undefined) resolve(url);
    });
    stdout?.on('end', () => reject(new Error(`the demo has ended: ${said}`)));
  });
}
