import { describe, expect, it } from 'vitest';
import { createAnswers } from '../../../../dashboards/web/api/answers.ts';
import { type Ask, ask } from '../../../../dashboards/web/api/ask.ts';
import type { Outcome } from '../../../../dashboards/web/api/client.ts';
import { everyRow } from '../../../../dashboards/web/state/every-row.ts';

interface PageOfNumbers {
  readonly rows: readonly number[];
  readonly next: string | null;
}

const listAsk = (cursor?: string): Ask<PageOfNumbers> => ({
  url: ask('/v1/sessions', { cursor }).url,
});

/** A store whose client answers by the cursor that is asked for; '' is the first page. */
function storeOf(outcomeOf: (cursor: string) => Outcome) {
  const asked: string[] = [];
  const answers = createAnswers({
    client: {
      async askAll(urls) {
        asked.push(...urls);
        return urls.map((url) =>
          outcomeOf(new URLSearchParams(url.split('?')[1]).get('cursor') ?? ''),
        );
      },
    },
    first: new Map(),
    now: () => 0,
    onOutcome: () => undefined,
  });
  return { answers, asked };
}

const page = (rows: readonly number[], next: string | null): Outcome => ({
  is: 'answered',
  body: { rows, next },
});

describe('all rows of a list', () => {
  it('are those of each of its pages, in order', async () => {
    const { answers, asked } = storeOf((cursor) =>
      cursor === '' ? page([1, 2], 'b') : page([3], null),
    );
    expect(await everyRow(answers, listAsk)).toEqual([1, 2, 3]);
    expect(asked).toEqual(['/v1/sessions', '/v1/sessions?cursor=b']);
  });

  it('are not there while a page is missing', async () => {
    const { answers } = storeOf((cursor) =>
      cursor === ''
        ? page([1], 'b')
        : { is: 'failed', problem: { is: 'offline', message: 'Nobody answers.' } },
    );
    await expect(everyRow(answers, listAsk)).rejects.toThrow('Nobody answers.');
  });

  it('are at most 20,000', async () => {
    const { answers, asked } = storeOf((cursor) =>
      page(
        Array.from({ length: 6_000 }, (_, row) => row),
        `${cursor}x`,
      ),
    );
    await expect(everyRow(answers, listAsk)).rejects.toThrow('more than 20,000 rows');
    expect(asked).toHaveLength(4);
  });
});
