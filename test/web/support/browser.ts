/**
 * A real browser on a page of the collector. It notes what a page must never do: errors, violations
 * of the content security policy, requests to anywhere else.
 */
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { waitMsMax } from '../../support/bounds.ts';

interface OpenOptions {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  /** An IANA name; otherwise that of the machine. */
  readonly timeZone?: string;
}

interface OpenPage {
  readonly page: Page;
  /** What went wrong so far, in words; empty: nothing. */
  problems(): readonly string[];
  /** Rules of axe that are broken seriously, with what breaks them. */
  axeViolations(): Promise<readonly string[]>;
}

export interface TestBrowser {
  /**
   * A window of its own, without cookies or storage of others, until the test ends that opens it.
   */
  open(url: string, options?: OpenOptions): Promise<OpenPage>;
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * For the tests of a file. By default where there is one, Chromium's headless shell: the same
 * engine and network stack without the browser around them, for less than half of the time of a
 * processor.
 */
export function useBrowser({ isWhole = false } = {}): TestBrowser {
  let browser: Browser;
  beforeAll(async () => {
    const whole = inject('chromiumPath');
    if (whole === null) throw new Error(inject('laneServer'));
    const executablePath = isWhole ? whole : (inject('headlessShellPath') ?? whole);
    browser = await chromium.launch({ executablePath, args: flags, timeout: waitMsMax });
  });
  afterAll(() => browser.close());
  return {
    async open(url, { width = 1_440, theme = 'light', timeZone } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme: theme,
        locale: 'en-GB',
        bypassCSP: false,
        ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
      });
      context.setDefaultTimeout(waitMsMax);
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const problems = noteProblems(page, new URL(url).origin);
      await page.goto(url);
      await page.locator('main').waitFor();
      return { page, problems: () => problems, axeViolations: () => axeViolationsOf(page) };
    },
  };
}

function noteProblems(page: Page, origin: string): readonly string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(origin) || request.url().startsWith('data:');
    if (!isOwn) problems.push(`request to ${request.url()}`);
  });
  return problems;
}

/** Through the debugger, which the content security policy does not bind. */
async function axeViolationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: readonly { id: string; impact: string; nodes: { html: string }[] }[] =
    await page.evaluate('axe.run().then((result) => result.violations)');
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} (${nodes.length})`);
}
