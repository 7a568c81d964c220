import { createEntryReader } from '../../../../collector/reconcile/files/file-entries.ts';

export type Json = Record<string, unknown>;

export const at = (second: number) => `2026-03-01T09:00:${String(second).padStart(2, '0')}.000Z`;

export const usage = { input: 10, output: 1, cost: { total: 0.001 } };

export const entry = (id: string, parentId: string | null, more: Json): Json => ({
  type: 'message',
  id,
  parentId,
  timestamp: at(1),
  ...more,
});

export const answer = (id: string, parentId: string | null = null, message: Json = {}) =>
  entry(id, parentId, {
    message: {
      role: 'assistant',
      provider: 'p',
      model: 'm',
      usage,
      responseId: `r-${id}`,
      timestamp: 1,
      ...message,
    },
  });

/** The units of the last of these lines. */
export function lastOf(...lines: readonly Json[]) {
  const reader = createEntryReader('s');
  const read = lines.map((line) => reader.read(line));
  return read.at(-1) ?? null;
}
