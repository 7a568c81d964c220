/**
 * Usage in places of an entry that have no known meaning: nobody counts it. Shares no code with the
 * importers. Pure.
 */
import { readMessage } from './entry-fields.ts';
import { type Json, jsonObject } from './usage-figures.ts';

/** Entries and messages that no host gives a usage. */
export function isNoPlaceOfUsage(line: Json): boolean {
  return typesWithoutUsage.has(line.type) || readMessage(line)?.role === 'user';
}

const typesWithoutUsage: ReadonlySet<unknown> = new Set([
  'custom_message',
  'model_change',
  'thinking_level_change',
  'context_edit',
  'reset_boundary',
]);

/** So deep, and so many members of an entry, are looked at. */
const deepest = 12;
const mostMembers = 10_000;

/**
 * The path to the first usage with figures in an entry of which nothing counts. What a model wrote,
 * and what tools repeat of subagents, is not meant.
 */
export function placeOfUsage(line: Json): string | null {
  const message = readMessage(line);
  const details = jsonObject(message?.details);
  const repeated = message?.toolName === 'task' ? ['results', 'usage'] : ['results'];
  const left = { members: mostMembers };
  const objects = [
    objectsIn(without(line, ['message']), '', left),
    objectsIn(without(message, ['content', 'details']), '/message', left),
    objectsIn(without(details, repeated), '/message/details', left),
  ];
  for (const each of objects)
    for (const { at, name, value } of each)
      if (name === 'usage' && hasFigures(jsonObject(value))) return at;
  return null;
}

type Members = readonly (readonly [string, unknown])[];

function without(value: Json | null, names: readonly string[]): Members {
  return Object.entries(value ?? {}).filter(([name]) => !names.includes(name));
}

interface Found {
  readonly at: string;
  readonly name: string;
  readonly value: object;
}

/** Each before what it holds, while there are members left to look at. */
function* objectsIn(
  members: Members,
  path: string,
  left: { members: number },
  depth = 0,
): Generator<Found> {
  if (depth > deepest) return;
  for (const [name, value] of members) {
    left.members -= 1;
    if (left.members < 0) return;
    if (typeof value !== 'object' || value === null) continue;
    const at = `${path}/${name}`;
    yield { at, name, value };
    yield* objectsIn(Object.entries(value), at, left, depth + 1);
  }
}

function hasFigures(usage: Json | null): boolean {
  if (usage === null) return false;
  const figures = [jsonObject(usage.cost)?.total, ...names.map((name) => usage[name])];
  return figures.some((figure) => typeof figure === 'number');
}

/** Hosts and providers call them so. */
const names = [
  ...['input', 'output', 'cost', 'inputTokens', 'outputTokens', 'input_tokens', 'output_tokens'],
  ...['promptTokenCount', 'candidatesTokenCount'],
];
