/** The entries of one made-up session file, in order. */
import { demoModels } from './cast.ts';
import type { Random } from './random.ts';
import type { Words } from './words.ts';

export function createStory(
  beginMs: number,
  parentId: string | null,
  random: Random,
  words: Words,
) {
  const model = random.pick(demoModels);
  let nowMs = beginMs;
  let leafId = parentId;
  let entries = 0;
  let contextTokens = 8_000;
  let pending: { id: string; name: string } | null = null;
  let turnsLeft = 0;

  const line = (type: string, body: object): string => {
    nowMs += random.between(50, 9_000);
    const id = random.hex(8);
    const timestamp = new Date(nowMs).toISOString();
    const text = `${JSON.stringify({ type, id, parentId: leafId, timestamp, ...body })}\n`;
    leafId = id;
    entries += 1;
    return text;
  };
  const message = (role: string, body: object) =>
    line('message', { message: { role, ...body, timestamp: nowMs } });

  const usage = (output: number) => {
    const input = random.between(50, 2_500);
    const cacheRead = contextTokens;
    const cost = {
      input: input * 3e-6,
      output: output * 15e-6,
      cacheRead: cacheRead * 3e-7,
      cacheWrite: 0,
    };
    contextTokens = contextTokens > 150_000 ? 12_000 : contextTokens + input + output;
    return {
      input,
      output,
      cacheRead,
      cacheWrite: 0,
      totalTokens: input + output + cacheRead,
      cost: { ...cost, total: cost.input + cost.output + cost.cacheRead },
    };
  };

  const answer = (): string => {
    const output = random.between(60, 1_500);
    const call = turnsLeft > 0 ? { id: `call_${random.hex(24)}`, name: random.pick(tools) } : null;
    pending = call;
    const called =
      call === null ? [] : [{ type: 'toolCall', ...call, arguments: words.argumentsOf(call.name) }];
    return message('assistant', {
      content: [
        { type: 'thinking', thinking: words.prose(output), thinkingSignature: random.hex(64) },
        { type: 'text', text: words.prose(output * 2) },
        ...called,
      ],
      api: model.api,
      provider: model.provider,
      model: model.model,
      usage: usage(output),
      stopReason: call === null ? 'stop' : 'toolUse',
      responseId: `msg_${random.hex(24)}`,
    });
  };

  const result = ({ id, name }: { id: string; name: string }): string => {
    pending = null;
    turnsLeft -= 1;
    const text =
      name === 'read' || random.chance(0.2)
        ? words.code(random.between(2_000, 24_000))
        : words.code(random.between(60, 3_000));
    return message('toolResult', {
      toolCallId: id,
      toolName: name,
      content: [{ type: 'text', text }],
      isError: random.chance(0.05),
    });
  };

  return {
    entries: () => entries,
    leafId: () => leafId ?? '',
    nowMs: () => nowMs,
    next(): string {
      if (entries === 0)
        return line('model_change', { provider: model.provider, modelId: model.model });
      if (pending !== null) return result(pending);
      if (turnsLeft > 0) return answer();
      if (turnsLeft === 0) {
        turnsLeft = -1;
        return message('user', {
          content: [{ type: 'text', text: words.prose(random.between(20, 900)) }],
        });
      }
      turnsLeft = random.between(2, 14);
      return answer();
    },
  };
}

const tools = ['read', 'bash', 'edit', 'grep', 'write'] as const;
