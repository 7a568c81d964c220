/**
 * `/ledger open`: the collector's page at this session, in the user's browser. Loaded when asked
 * for.
 *
 * Guarantees: only http(s) addresses are opened, without user names, passwords or anything beside
 * the session's id; nothing is opened where no trusted collector answers; the browser is a process
 * of its own, without a shell, and its failure is told, never thrown.
 */
import { spawn } from 'node:child_process';
import type { Environment } from '../../contract/settings/read.ts';
import { browserCommand } from '../../core/machine/browser-command.ts';
import type { CollectorConnection } from '../shipping/connection.ts';
import { findDoubt } from './asking/ask.ts';

export interface Browser {
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
  /** Resolves to null if it runs, otherwise to what failed. Contract: never rejects. */
  start(command: string, args: readonly string[]): Promise<string | null>;
}

export const systemBrowser: Browser = {
  platform: process.platform,
  environment: process.env,
  start: (command, args) =>
    new Promise((resolve) => {
      try {
        const child = spawn(command, args, { detached: true, stdio: 'ignore' });
        child.once('error', ({ message }) => resolve(message));
        child.once('spawn', () => resolve(null));
        child.unref();
      } catch (error) {
        resolve(String(error));
      }
    }),
};

/** The answer in words; it always names the address. Contract: never rejects. */
export async function openPage(
  collector: CollectorConnection,
  sessionId: string | null,
  browser: Browser,
): Promise<string> {
  const base = typeof collector.url === 'string' ? collector.url : collector.url();
  const page = base === null ? null : pageAddress(base, sessionId);
  if (page === null) return 'The page is not opened: no collector is running on this home.';
  if (typeof page !== 'string') return `The page is not opened: ${page.why}.`;
  const doubt = await findDoubt(collector);
  if (doubt !== null) return `The page is not opened: ${doubt}. It would be at ${page}`;
  const command = browserCommand(browser.environment, browser.platform);
  if (command === null) return `Open this in a browser: ${page}`;
  const [program, ...words] = command;
  const failure = await browser.start(program, [...words, page]);
  return failure === null
    ? `Opened ${page}`
    : `No browser could be started (${failure}). Open this in one: ${page}`;
}

/** Where the page is at this session. */
export function pageAddress(
  base: string,
  sessionId: string | null,
): string | { readonly why: string } {
  const url = URL.canParse(base) ? new URL(base) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return { why: 'the collector has no http address' };
  const prefix = url.pathname.replace(/\/+$/, '');
  const path = sessionId === null ? '/' : `/sessions/${encodeURIComponent(sessionId)}`;
  return `${url.origin}${prefix}${path}`;
}
