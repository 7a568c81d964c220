/** Answers: assistant messages that reported their usage. */
import type { TurnFact } from '../../projections/context/facts.ts';
import type { Node } from './entry-tree.ts';

export type AnswerNode = Node & { readonly fact: TurnFact };

/** The nearest answer above an entry. */
export function answerAbove({ answer }: Node): AnswerNode | null {
  return answer as AnswerNode | null;
}

export function isAnswer(node: Node): node is AnswerNode {
  return node.fact.kind === 'turn' && node.fact.reported;
}
