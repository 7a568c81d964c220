/**
 * Answers that are given again as long as nothing they are made of has changed: the views of
 * sessions and contexts stand where they stood. At most `answersMax` are remembered.
 */
import type { ViewsReader } from '../../views/views.ts';
import { standingOf } from './standing.ts';

export interface WhileUnchanged<Answer> {
  /** `question` says all that the answer depends on beside the views, the caller's limits too. */
  once(question: string, compute: () => Promise<Answer>): Promise<Answer>;
}

const answersMax = 50;

export function createWhileUnchanged<Answer>(views: ViewsReader): WhileUnchanged<Answer> {
  const known = new Map<string, Answer>();
  let stood = '';

  return {
    async once(question, compute) {
      const standing = await standingOf(views);
      if (standing === null) return compute();
      const stands = JSON.stringify(standing);
      if (stands !== stood || known.size >= answersMax) known.clear();
      stood = stands;
      const answer = known.get(question) ?? (await compute());
      // Others may have asked meanwhile, of views that stood elsewhere.
      if (stood === stands) known.set(question, answer);
      return answer;
    },
  };
}
