/**
 * Entries of format v1 (pi up to 0.30) have no id. A host that resumes such a file gives each entry
 * a random id and rewrites the file, so no id can identify such an entry. Its content can, because
 * it is the same before and after.
 *
 * A host appends the random ids after the existing fields; its own entries have the id before the
 * time. JSON preserves that order in files, copies and the host's memory.
 *
 * Two entries of the same moment with the same content in all fields used here count as one.
 */

import { asObject, asString, type JsonObject } from '../fields.ts';
import { canonicalJson } from './canonical-json.ts';
import { sha256Hex } from './sha256.ts';

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
  const usage = usageText(message.usage ?? body.usage);
  return `v1-${sha256Hex(`${canonicalJson(said)} ${usage}`).slice(0, 16)}`;
}

/** A host that resumes a file of format v2 renames this role. */
function roleNow(role: unknown): string | null {
  return role === 'hookMessage' ? 'custom' : asString(role);
}

/** Usage nested too deeply cannot be recorded anyway. */
function usageText(usage: unknown): string {
  try {
    return canonicalJson(usage ?? null);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}
