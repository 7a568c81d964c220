/** All rows of a list whose answers come in pages, for a copy of them. */
import type { AnswerStore } from '../api/answers.ts';
import type { Ask } from '../api/ask.ts';
import { readAnswer } from './page.ts';

interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

const rowsMax = 20_000;

/**
 * `askPage`: the page after a cursor; without one, the first. Rejects, in words for the reader,
 * when a page does not come and where there are more than 20,000 rows: a part is not all.
 */
export async function everyRow<Row>(
  answers: Pick<AnswerStore, 'read' | 'watch'>,
  askPage: (cursor?: string) => Ask<PageOf<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let next: string | null | undefined;
  while (next !== null) {
    const page = await answerOf(answers, askPage(next));
    rows.push(...page.rows);
    if (rows.length > rowsMax) throw new Error('more than 20,000 rows');
    next = page.next;
  }
  return rows;
}

function answerOf<Answer>(
  answers: Pick<AnswerStore, 'read' | 'watch'>,
  asked: Ask<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { answer, problem, isAsking } = readAnswer(answers, asked);
      if (isAsking) return;
      end();
      if (answer === null || problem !== null) reject(new Error(problem?.message));
      else resolve(answer);
    };
    const end = answers.watch(asked.url, look);
    look();
  });
}
