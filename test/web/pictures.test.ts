/** Charts as pictures: what the browser saves, read back by the browser. */
import { readFileSync } from 'node:fs';
import type { Answers } from '@pi-ledger/contract/answers';
import type { Download, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { attributed, turn } from '../collector/projections/support/given.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

const browser = useBrowser();
let ledger: Ledger;
let session: string;
beforeAll(async () => {
  ledger = await startedLedger();
  const asked = '/v1/usage?by=session&project=demo-compiler&limit=1';
  const { rows } = await answerOf<Answers['GET /v1/usage']>(ledger, asked);
  session = rows[0]?.session ?? '';
});

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** How many pixels have this colour, `36,96,167`. */
  readonly pixels: Readonly<Record<string, number>>;
  readonly corner: string;
}

/** `begin` saves it. */
async function pictureOf(page: Page, begin: () => Promise<void>): Promise<Picture> {
  const [download] = await Promise.all([page.waitForEvent('download'), begin()]);
  const read = await page.evaluate<Omit<Picture, 'name'>, string>(
    async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      pen?.drawImage(bitmap, 0, 0);
      const { data } = pen?.getImageData(0, 0, bitmap.width, bitmap.height) ?? { data: [] };
      const pixels: Record<string, number> = {};
      for (let at = 0; at < data.length; at += 4) {
        const colour = `${data[at]},${data[at + 1]},${data[at + 2]}`;
        pixels[colour] = (pixels[colour] ?? 0) + 1;
      }
      const corner = `${data[0]},${data[1]},${data[2]},${data[3]}`;
      return { width: bitmap.width, height: bitmap.height, pixels, corner };
    },
    await base64Of(download),
  );
  return { name: download.suggestedFilename(), ...read };
}

async function base64Of(download: Download): Promise<string> {
  return readFileSync(await download.path()).toString('base64');
}

const press = (page: Page) => () => page.getByRole('button', { name: 'PNG' }).first().click();

describe('the chart of a section', () => {
  it.each([
    { theme: 'light', corner: '255,255,255,255', series: ['36,96,167', '208,120,15'] },
    { theme: 'dark', corner: '16,20,24,255', series: ['74,138,214', '242,171,85'] },
  ] as const)('is saved as it is seen, $theme', async ({ theme, corner, series }) => {
    const { page, problems } = await browser.open(`${ledger.url}/`, { theme });
    await page.locator('.spend-chart .s1 path.solid[d^="M"]').waitFor();
    await page.locator('.heat-5[d^="M"]').first().waitFor();
    const chart = await page.locator('.spend-chart svg').first().boundingBox();
    const picture = await pictureOf(page, press(page));
    expect(picture).toMatchObject({ name: 'spend-per-day.png', corner });
    expect(picture.width).toBe(2 * (Math.round(chart?.width ?? 0) + 48));
    expect(picture.height).toBeGreaterThan(2 * (chart?.height ?? 0));
    for (const colour of series) expect(picture.pixels[colour]).toBeGreaterThan(1_000);
    expect(problems()).toEqual([]);
  });

  it.each([
    ['/projects/demo-weather', '.s1 path.solid[d^="M"]', 'spend-per-day.png'],
    ['/models', '[aria-label^="Speed per day"] path.solid[d^="M"]', 'speed-per-day.png'],
    ['/compactions', '.dots', 'net-of-each.png'],
    ['/sessions/ID', '.session-charts svg', 'context-cost-and-time.png'],
  ])('is saved from %s', async (path, drawn, name) => {
    const url = `${ledger.url}${path.replace('ID', session)}`;
    const { page, problems } = await browser.open(url, { width: 390 });
    await page.locator(drawn).first().waitFor();
    const picture = await pictureOf(page, press(page));
    expect(picture.name).toBe(name);
    expect(Object.keys(picture.pixels).length).toBeGreaterThan(10);
    expect(problems()).toEqual([]);
  });

  it('is saved by two letters', async () => {
    const { page } = await browser.open(`${ledger.url}/compactions`);
    await page.locator('.dots').first().waitFor();
    const byKeys = async () => {
      await page.keyboard.press('c');
      await page.keyboard.press('p');
    };
    expect((await pictureOf(page, byKeys)).name).toBe('net-of-each.png');
  });
});

it('names of others are words in a picture, and the title of the page stays', async () => {
  const strange = `</svg><img src=x onerror="document.title='owned'"> & \u0007 \u202Egnp`;
  const other = await startedLedger({ data: 'none' });
  const time = new Date().toISOString();
  const events = [attributed(time, { project: strange }), turn(time, { costNanoUsd: 1e9 })];
  const response = await fetch(`${other.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  });
  expect(await response.json()).toMatchObject({ accepted: events.length });
  const { page, problems } = await browser.open(`${other.url}/`);
  await page.locator('.spend-chart .s1 path[d^="M"]').first().waitFor();
  expect((await pictureOf(page, press(page))).name).toBe('spend-per-day.png');
  expect(await page.title()).toBe('Overview · pi-ledger');
  expect(problems()).toEqual([]);
});
