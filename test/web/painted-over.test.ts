/** Text in a real browser that other text is painted over, at the widths that people have. */
import type { Answers } from '@pi-ledger/contract/answers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { attributed, turn } from '../collector/projections/support/given.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

const browser = useBrowser();
const ledgers = new Map<string, Ledger>();
beforeAll(async () => {
  ledgers.set('a month', await startedLedger());
  ledgers.set('millions', await startedLedger({ data: 'none' }));
  await fillWithMillions(ledgerOf('millions'));
});

const ledgerOf = (name: string): Ledger => ledgers.get(name) as Ledger;

/** Ten projects of up to a million dollars each, of every kind of billing, some without a price. */
async function fillWithMillions({ url }: Ledger): Promise<void> {
  const beganMs = Date.now() - 3_600_000;
  const events = ['metered', 'subscription', 'unknown'].flatMap((paid, kind) =>
    Array.from({ length: 10 }, (_, number) => {
      const time = new Date(beganMs + (kind * 10 + number) * 1_000).toISOString();
      const [project, session] = [
        `a-project-of-some-length-${number}`,
        `session-${kind}-${number}`,
      ];
      const billing = paid === 'unknown' ? {} : { anthropic: paid as 'metered' };
      const spend = {
        costNanoUsd: (number + 1) * 98_765_432_109_876,
        inputTokens: 9_876_543_210,
      };
      return [
        attributed(time, { project, billing }, session),
        turn(time, number === 9 ? { inputTokens: 1, costNanoUsd: null } : spend, session),
      ];
    }).flat(),
  );
  const response = await fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  });
  expect(await response.json()).toMatchObject({ accepted: events.length });
}

async function sessionIn(ledger: Ledger): Promise<string> {
  const asked = '/v1/usage?by=session&limit=1';
  const { rows } = await answerOf<Answers['GET /v1/usage']>(ledger, asked);
  return rows[0]?.session ?? '';
}

interface Overlap {
  readonly one: string;
  readonly other: string;
}

/** Pairs of texts that share more than a hair's breadth. What a box cuts off is not painted. */
function findOverlaps(page: Page): Promise<readonly Overlap[]> {
  return page.evaluate(() => {
    const hair = 2;
    interface Painted {
      readonly text: string;
      readonly box: DOMRect;
    }
    const isHidden = (element: Element): boolean => {
      const { visibility, opacity, position, clipPath } = getComputedStyle(element);
      const isAfloat = position === 'sticky' || position === 'fixed';
      return visibility === 'hidden' || opacity === '0' || isAfloat || clipPath !== 'none';
    };
    const cut = (box: DOMRect, by: DOMRect): DOMRect => {
      const [left, top] = [Math.max(box.left, by.left), Math.max(box.top, by.top)];
      const [right, bottom] = [Math.min(box.right, by.right), Math.min(box.bottom, by.bottom)];
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    };
    const visiblePart = (text: Text, box: DOMRect): DOMRect | null => {
      let part = box;
      for (let each = text.parentElement; each !== null; each = each.parentElement) {
        if (isHidden(each)) return null;
        if (getComputedStyle(each).overflow !== 'visible')
          part = cut(part, each.getBoundingClientRect());
      }
      return part;
    };
    const painted: Painted[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      if (text === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = visiblePart(node as Text, rect);
        if (box !== null && box.width > hair && box.height > hair) painted.push({ text, box });
      }
    }
    return painted.flatMap(({ text, box }, index) =>
      painted
        .slice(index + 1)
        .filter(({ box: other }) => {
          const shared = cut(box, other);
          return shared.width > hair && shared.height > hair * 2;
        })
        .map((other) => ({ one: text, other: other.text })),
    );
  });
}

const views: readonly (readonly [string, string])[] = [
  ['/', '.spend-chart .s1 path.solid[d^="M"]'],
  ['/sessions', 'tbody tr[data-row]'],
  ['/sessions/ID', '.figure'],
  ['/models', 'tbody tr[data-row]'],
  ['/compactions', 'main'],
  ['/projects', 'main'],
  ['/budgets', 'main'],
  ['/health', 'main'],
];

describe.each(['a month', 'millions'])('a ledger of %s', (name) => {
  describe.each([1_440, 1_280, 960, 700, 390])('at %i px', (width) => {
    it.each(views)('has no text on %s that is painted over another', async (path, there) => {
      const ledger = ledgerOf(name);
      const { page } = await browser.open(
        `${ledger.url}${path.replace('ID', await sessionIn(ledger))}`,
        { width },
      );
      await page.locator(there).first().waitFor();
      await expect.poll(() => findOverlaps(page), { timeout: 20_000 }).toEqual([]);
    });
  });
});

it('text that is painted over another is found', async () => {
  const { page } = await browser.open(`${ledgerOf('a month').url}/models`);
  await page.locator('tbody tr[data-row]').first().waitFor();
  await page.evaluate(() => {
    const figure = document.querySelector<HTMLElement>('tbody td:nth-child(3)');
    if (figure !== null) Object.assign(figure.style, { position: 'relative', left: '60px' });
  });
  await expect.poll(() => findOverlaps(page)).not.toEqual([]);
});
