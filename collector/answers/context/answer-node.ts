/** Answers: assistant messages that reported their usage. */
import type { TurnFact } from '../../projections/context/facts.ts';
import type { EntryNode } from './entry-tree.ts';

export type AnswerNode = EntryNode & { readonly fact: TurnFact };

/** The nearest answer above an entry. */
export function answerAbove({ answer }: EntryNode): AnswerNode | null {
  return answer as AnswerNode | null;
}

export function isAnswer(node: EntryNode): node is AnswerNode {
  return node.fact.kind === 'turn' && node.fact.reported;
}
