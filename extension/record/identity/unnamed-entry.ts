/**
 * Entries of format v1 (pi up to 0.30), which have no id, and what became of them when a host took
 * such a file up again: it gives each a random id and writes the file anew. No id can be what such
 * an entry is known by; what it says is, and that is the same before and after.
 *
 * A host puts the random ids behind what the entry had; entries of its own have theirs in front of
 * their time. JSON keeps that order, in files, in their copies and in the host's memory.
 *
 * Two entries of one moment that say the same in everything that is looked at are one.
 */

import { asObject, asString, type JsonObject } from '../fields.ts';
import { canonicalJson } from './canonical-json.ts';
import { sha256Hex } from './sha256.ts';

/** An entry that has an id had none when it was written. */
export function wasUnnamed(body: JsonObject): boolean {
  for (const name in body) {
    if (name === 'id') return false;
    if (name === 'timestamp') return true;
  }
  return false;
}

/** `v1-` and 16 hex digits. */
export function keyOfUnnamed(type: string, timestamp: string, body: JsonObject): string {
  const message = asObject(body.message) ?? {};
  const said = [
    type,
    timestamp,
    roleNow(message.role),
    message.timestamp ?? null,
    message.responseId ?? null,
    message.toolCallId ?? null,
    asString(body.modelId) ?? asString(message.model),
    asString(body.thinkingLevel),
  ];
  return `v1-${sha256Hex(`${canonicalJson(said)} ${usageText(message.usage ?? body.usage)}`).slice(0, 16)}`;
}

/** A host that takes up a file of format v2 renames it. */
function roleNow(role: unknown): string | null {
  return role === 'hookMessage' ? 'custom' : asString(role);
}

/** Nested too deep it cannot be recorded either. */
function usageText(usage: unknown): string {
  try {
    return canonicalJson(usage ?? null);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}
