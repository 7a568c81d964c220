/** Asks two ledgers the same, page by page, and tells where they answer differently. */
import { expect } from 'vitest';
import type { Answer, Asked, CellsLedger } from './ledger.ts';

export interface Compared {
  readonly asked: number;
  readonly rows: number;
}

const shownMax = 5;

export async function expectSameAnswers(
  single: CellsLedger,
  joined: CellsLedger,
  questions: readonly Asked[],
): Promise<Compared> {
  const differences: object[] = [];
  let asked = 0;
  let rows = 0;
  for (const question of questions) {
    for (let next: Asked | null = question; next !== null; ) {
      const expected = comparable(await single.ask(next));
      const given = comparable(await joined.ask(next));
      asked += 1;
      if (!/format=|metrics/.test(question.url)) rows += rowsIn(expected);
      if (expected.status !== given.status || expected.text !== given.text)
        differences.push(differenceOf(next, expected, given));
      next = differences.length > shownMax ? null : pageAfter(question, expected);
    }
    if (differences.length > shownMax) break;
  }
  expect(differences).toEqual([]);
  return { asked, rows };
}

/** Counters name the generations that they are of: each cell has its own. */
function comparable({ status, text }: Answer): Answer {
  return { status, text: text.replace(/^\{"generation":"[\d.]+"/, '{"generation":""') };
}

/** Around the first character that differs. */
function differenceOf({ url, token }: Asked, expected: Answer, given: Answer): object {
  let at = 0;
  while (at < expected.text.length && expected.text[at] === given.text[at]) at += 1;
  const from = Math.max(0, at - 150);
  const shown = ({ status, text }: Answer) => `${status} ${text.slice(from, at + 250)}`;
  return { url, token, at, one: shown(expected), several: shown(given) };
}

/** Only where the question is for small pages: of others the first is enough. */
function pageAfter(question: Asked, { text }: Answer): Asked | null {
  if (!/[?&]limit=\d/.test(question.url) || !text.startsWith('{')) return null;
  const { next } = JSON.parse(text) as { readonly next?: unknown };
  return typeof next === 'string' ? { ...question, url: `${question.url}&cursor=${next}` } : null;
}

function rowsIn({ text }: Answer): number {
  const { rows } = JSON.parse(text) as { readonly rows?: unknown };
  return Array.isArray(rows) ? rows.length : 0;
}

/**
 * The events of the log, without their positions: those differ, and so does the order between
 * sessions.
 */
export async function expectSameLog(
  single: CellsLedger,
  joined: CellsLedger,
  tokens: readonly (string | undefined)[],
): Promise<void> {
  for (const token of tokens) {
    const path = token === undefined ? '/v1/log' : '/v1/log/own';
    const of = token === undefined ? {} : { token };
    for (const limit of [7, 1_000]) {
      const [expected, given] = [
        await eventsIn(single, path, limit, of),
        await eventsIn(joined, path, limit, of),
      ];
      expect(given.toSorted()).toEqual(expected.toSorted());
    }
  }
}

async function eventsIn(
  ledger: CellsLedger,
  path: string,
  limit: number,
  of: { readonly token?: string },
): Promise<readonly string[]> {
  const events: string[] = [];
  let last = 0;
  for (let after: number | null = 0; after !== null; ) {
    const answer = await ledger.ask({ url: `${path}?limit=${limit}&after=${after}`, ...of });
    expect(answer.status).toBe(200);
    const page: {
      readonly rows: readonly { readonly position: number }[];
      readonly next: number | null;
    } = JSON.parse(answer.text);
    for (const { position, ...row } of page.rows) {
      expect(position).toBeGreaterThan(last);
      last = position;
      events.push(JSON.stringify(row));
    }
    after = page.next;
  }
  return events;
}
