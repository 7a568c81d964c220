/** What a press saves as a file. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

export async function savedBy(
  page: Page,
  press: () => Promise<void>,
): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}
