/**
 * Cold loads of the page in a real browser: when it first paints, when the document began to come,
 * the longest task and how many elements there are then.
 */
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../../test/services/chromium/program.ts';

export interface Painted {
  /** First contentful paint, from the navigation on. */
  readonly paintMs: number;
  /** The first byte of the document. */
  readonly firstByteMs: number;
  /** Of tasks of 50 ms and more; 0: there was none. */
  readonly longestTaskMs: number;
  readonly elements: number;
}

export interface PaintingBrowser {
  /** With an empty cache. */
  load(url: string): Promise<Painted>;
  close(): Promise<void>;
}

export async function paintingBrowser(): Promise<PaintingBrowser> {
  const { path } = await findChromium(process.env);
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  return { load: (url) => load(browser, url), close: () => browser.close() };
}

/** Marks of the browser's own, after it has come to rest. */
const read = `new Promise((resolve) => {
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({
    type: 'longtask',
    buffered: true,
  });
  setTimeout(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    const [navigation] = performance.getEntriesByType('navigation');
    resolve({
      paintMs: paint === undefined ? NaN : paint.startTime,
      firstByteMs: navigation.responseStart,
      longestTaskMs: Math.max(0, ...tasks.map(({ duration }) => duration)),
      elements: document.querySelectorAll('*').length,
    });
  }, 500);
})`;

async function load(browser: Browser, url: string): Promise<Painted> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.locator('main').waitFor();
    return await page.evaluate<Painted>(read);
  } finally {
    await context.close();
  }
}
