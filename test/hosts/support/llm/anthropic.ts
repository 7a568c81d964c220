/** An answer as a stream of Anthropic message events. */
import { type Answer, type Frame, pieces, toolCallId } from './frames.ts';
import { type Block, hasTool } from './reply.ts';
import type { ServedUsage } from './usage.ts';

/**
 * Contract: message_start (prompt tokens), then start, deltas and stop for each block,
 * message_delta (output tokens), message_stop. As with the real API the first event already tells
 * the prompt's tokens, so a host knows what an answer has cost that was cut off.
 */
export function* anthropicFrames(answer: Answer): Generator<Frame> {
  const begun = { ...answer.usage, outputTokens: 1, reasoningTokens: 0 };
  yield { ...event('message_start', { message: startMessage(answer, begun) }), told: begun };
  for (const [index, block] of answer.blocks.entries()) {
    yield event('content_block_start', { index, content_block: emptyBlock(answer, block, index) });
    yield* deltas(answer, block, index);
    yield event('content_block_stop', { index });
  }
  const delta = {
    stop_reason: hasTool(answer.blocks) ? 'tool_use' : 'end_turn',
    stop_sequence: null,
  };
  yield {
    ...event('message_delta', { delta, usage: { output_tokens: answer.usage.outputTokens } }),
    told: answer.usage,
  };
  yield event('message_stop', {});
}

export function anthropicError(_status: number, type: string, message: string): object {
  return { type: 'error', error: { type, message } };
}

function startMessage(answer: Answer, begun: ServedUsage): object {
  const usage = { ...promptUsage(begun), output_tokens: begun.outputTokens };
  const { model } = answer;
  return {
    id: `msg_${answer.id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
}

function promptUsage(usage: ServedUsage): object {
  const hour = usage.cacheWrite1hTokens;
  return {
    input_tokens: usage.inputTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWriteTokens - hour,
      ephemeral_1h_input_tokens: hour,
    },
  };
}

function emptyBlock(answer: Answer, block: Block, index: number): object {
  if (block.type === 'tool')
    return { type: 'tool_use', id: toolCallId(answer, index), name: block.name, input: {} };
  return block.type === 'thinking'
    ? { type: 'thinking', thinking: '', signature: '' }
    : { type: 'text', text: '' };
}

function* deltas(answer: Answer, block: Block, index: number): Generator<Frame> {
  if (block.type === 'tool') {
    const partial = JSON.stringify(block.arguments);
    yield event('content_block_delta', {
      index,
      delta: { type: 'input_json_delta', partial_json: partial },
    });
    return;
  }
  const thinking = block.type === 'thinking';
  for (const piece of pieces(block.text, answer.wordDelayMs)) {
    const delta = thinking
      ? { type: 'thinking_delta', thinking: piece }
      : { type: 'text_delta', text: piece };
    yield event('content_block_delta', { index, delta }, answer.wordDelayMs);
  }
  if (thinking)
    yield event('content_block_delta', {
      index,
      delta: { type: 'signature_delta', signature: 'c2lnbmF0dXJl' },
    });
}

function event(type: string, data: object, pauseMs = 0): Frame {
  return { text: `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`, pauseMs };
}
