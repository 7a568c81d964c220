export const at = (second: number) => `2026-03-01T09:00:${String(second).padStart(2, '0')}.000Z`;

export const usage = (input: number) => ({
  input,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: input + 1,
  cost: { total: 0.001 },
});

export function answer(id: string, second: number, more: object = {}): string {
  const message = {
    role: 'assistant',
    content: [],
    provider: 'p',
    model: 'm',
    usage: usage(10),
    responseId: `r-${id}`,
    timestamp: 1,
    ...more,
  };
  return JSON.stringify({ type: 'message', id, parentId: null, timestamp: at(second), message });
}
