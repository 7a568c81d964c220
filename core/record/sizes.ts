/**
 * Sizes of a message in characters by kind of content. The content itself does not leave this file.
 */

import type { Sizes } from '@pi-ledger/contract';
import { noSizes } from './draft.ts';
import { asList, asObject, asString, type JsonObject } from './fields.ts';

/** A message's content is a string or blocks. The JSON of an unknown block counts as other text. */
export function contentSizes(content: unknown): Sizes {
  const sizes = { ...noSizes };
  if (typeof content === 'string') sizes.textChars = content.length;
  for (const block of asList(content)) addBlock(sizes, block);
  return sizes;
}

export function withOther(sizes: Sizes, chars: number): Sizes {
  return { ...sizes, otherChars: sizes.otherChars + chars };
}

/** All characters; images are not included. */
export function charsIn(sizes: Sizes): number {
  return sizes.textChars + sizes.thinkingChars + sizes.toolCallChars + sizes.otherChars;
}

/**
 * A system message fills the context with more than its text: prompt sections and tool definitions
 * count by their JSON.
 */
export function systemSizes(message: JsonObject): Sizes {
  const declared = [message.sections, message.toolsAdded, message.toolsRemoved];
  return withOther(
    contentSizes(message.content),
    declared.reduce<number>((chars, part) => chars + jsonChars(part), 0),
  );
}

/** Characters of the tools that a system message adds; part of its sizes. */
export function definitionChars(message: JsonObject): number {
  return jsonChars(message.toolsAdded);
}

/** Length of the compact JSON; 0 if there is none (undefined, cyclic). */
export function jsonChars(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch (error) {
    if (error instanceof TypeError) return 0;
    throw error;
  }
}

export function textChars(value: unknown): number {
  return asString(value)?.length ?? 0;
}

type Counting = { -readonly [Kind in keyof Sizes]: number };

function addBlock(sizes: Counting, value: unknown): void {
  const block = asObject(value);
  switch (block?.type) {
    case 'text':
      sizes.textChars += textChars(block.text);
      break;
    case 'thinking':
      sizes.thinkingChars += textChars(block.thinking);
      break;
    case 'toolCall':
      sizes.toolCallChars += textChars(block.name) + jsonChars(block.arguments);
      break;
    case 'image':
      sizes.images += 1;
      break;
    default:
      sizes.otherChars += jsonChars(value);
  }
}
