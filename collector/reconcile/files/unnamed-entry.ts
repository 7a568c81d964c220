/**
 * The name of an entry of format v1, which was written without an id. Implements the rule in
 * docs/accounting.md independently. Pure.
 */
import { createHash } from 'node:crypto';
import { sortedJson } from '../unit.ts';
import { type Json, jsonObject } from './usage-figures.ts';

/** Whether the entry has no id, or one after the time, which a host added later. */
export function isUnnamed(line: Json): boolean {
  const names = Object.keys(line);
  if (typeof line.timestamp !== 'string' || typeof line.type !== 'string') return false;
  return line.id === undefined || names.indexOf('id') > names.indexOf('timestamp');
}

export function nameEntry(line: Json): string {
  const { role, timestamp, responseId, toolCallId, model, usage } = jsonObject(line.message) ?? {};
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const said = [
    line.type,
    line.timestamp,
    role === 'hookMessage' ? 'custom' : text(role),
    timestamp ?? null,
    responseId ?? null,
    toolCallId ?? null,
    text(line.modelId) ?? text(model),
    text(line.thinkingLevel),
  ];
  const digest = createHash('sha256').update(
    `${sortedJson(said)} ${sortedJson(usage ?? line.usage ?? null)}`,
  );
  return `v1-${digest.digest('hex').slice(0, 16)}`;
}
