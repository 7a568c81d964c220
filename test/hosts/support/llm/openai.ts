/** An answer as a stream of OpenAI chat completion chunks. */
import { type Answer, type Frame, pieces, toolCallId } from './frames.ts';
import { type Block, hasTool } from './reply.ts';
import { promptTokens, type ServedUsage } from './usage.ts';

/**
 * Contract: yields the role first, then the blocks in order, the finish reason, the usage and
 * `[DONE]`.
 */
export function* openaiFrames(answer: Answer): Generator<Frame> {
  const chunk = chunkOf(answer);
  yield chunk({ delta: { role: 'assistant', content: '' } });
  let toolIndex = 0;
  for (const block of answer.blocks) {
    if (block.type === 'tool')
      yield chunk({ delta: { tool_calls: [toolCall(answer, block, toolIndex++)] } });
    else yield* textChunks(answer, block);
  }
  yield chunk({ delta: {}, finish_reason: hasTool(answer.blocks) ? 'tool_calls' : 'stop' });
  yield usageChunk(answer);
  yield { text: 'data: [DONE]\n\n', pauseMs: 0 };
}

export function openaiError(status: number, type: string, message: string): object {
  return { error: { message, type, code: String(status) } };
}

function* textChunks(answer: Answer, block: Exclude<Block, { type: 'tool' }>): Generator<Frame> {
  const chunk = chunkOf(answer);
  const key = block.type === 'thinking' ? 'reasoning_content' : 'content';
  for (const piece of pieces(block.text, answer.wordDelayMs)) {
    yield chunk({ delta: { [key]: piece } }, answer.wordDelayMs);
  }
}

function toolCall(answer: Answer, block: Extract<Block, { type: 'tool' }>, index: number): object {
  const call = { name: block.name, arguments: JSON.stringify(block.arguments) };
  return { index, id: toolCallId(answer, index), type: 'function', function: call };
}

function usageChunk(answer: Answer): Frame {
  return {
    ...sse({ ...head(answer), choices: [], usage: openaiUsage(answer.usage) }, 0),
    told: answer.usage,
  };
}

function openaiUsage(usage: ServedUsage): object {
  return {
    prompt_tokens: promptTokens(usage),
    completion_tokens: usage.outputTokens,
    total_tokens: promptTokens(usage) + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

function chunkOf(answer: Answer) {
  return (choice: { delta: object; finish_reason?: string }, pauseMs = 0): Frame =>
    sse({ ...head(answer), choices: [{ index: 0, finish_reason: null, ...choice }] }, pauseMs);
}

function head(answer: Answer): object {
  return {
    id: `chatcmpl-${answer.id}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: answer.model,
  };
}

function sse(data: object, pauseMs: number): Frame {
  return { text: `data: ${JSON.stringify(data)}\n\n`, pauseMs };
}
