/**
 * How the requesting host wants its tools called. Derived from the tools it offers, so that the
 * server does not need to know the host: omp prefixes names with `_` on Anthropic APIs, and its
 * `edit` takes a patch with a file tag from an earlier tool result.
 */
import type { Conversation } from './conversation.ts';
import type { Block } from './reply.ts';

export function call(
  conversation: Conversation,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Block {
  return { type: 'tool', name: offered(conversation, name)?.name ?? name, arguments: args };
}

export function offers(conversation: Conversation, name: string): boolean {
  return offered(conversation, name) !== undefined;
}

/** Replaces the second line (`from`) of `path`. */
export function editSecondLine(
  conversation: Conversation,
  path: string,
  from: string,
  to: string,
): Block {
  if (!offered(conversation, 'edit')?.properties.includes('input')) {
    return call(conversation, 'edit', { path, edits: [{ oldText: from, newText: to }] });
  }
  return call(conversation, 'edit', {
    input: `[${path}#${fileTag(conversation, path)}]\nPUT 2.=2:\n+${to}`,
  });
}

/** A subagent of omp must return its result with a tool; all others end with plain text. */
export function finish(conversation: Conversation, text: string): readonly Block[] {
  const said: Block = { type: 'text', text };
  return offers(conversation, 'yield')
    ? [said, call(conversation, 'yield', { data: text })]
    : [said];
}

function offered({ tools }: Conversation, name: string) {
  return tools.find((tool) => tool.name === name || tool.name === `_${name}`);
}

function fileTag({ results }: Conversation, path: string): string {
  const tags = results.flatMap((text) => [...text.matchAll(/\[([^\]#\n]+)#([0-9A-F]+)\]/g)]);
  return tags.findLast(([, file]) => file?.endsWith(path))?.[2] ?? '0000';
}
