/**
 * Server-sent events of an answer, in order, each with the pause before it. Pure: the server does
 * the waiting.
 */
import type { Block } from './reply.ts';
import type { ServedUsage } from './usage.ts';

export interface Frame {
  readonly text: string;
  readonly pauseMs: number;
  /** The usage reported to the client once it has read this. */
  readonly told?: ServedUsage;
}

export interface Answer {
  /** Unique on the server; response and tool call ids are made from it. */
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly Block[];
  readonly usage: ServedUsage;
  readonly wordDelayMs: number;
}

/** Text in pieces as a model would send it: word by word when slow, else in one. */
export function pieces(text: string, wordDelayMs: number): readonly string[] {
  return wordDelayMs > 0 ? text.split(/(?<= )/) : [text];
}

export function toolCallId(answer: Answer, index: number): string {
  return `call_${answer.id}_${index}`;
}
