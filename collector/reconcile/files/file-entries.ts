/**
 * The lines of one session file to units of spend: an own reading, so that it can catch what the
 * importers get wrong. Pure; shares nothing with them.
 *
 * Any entry that carries a usage object is spend, whatever its type or role. An assistant message
 * without one is an attempt that reported nothing.
 */
import { digestOf, identityOf, sortedJson, type Unit } from '../unit.ts';
import { isUnnamed, nameOf } from './unnamed-entry.ts';
import { type Json, jsonObject, usageFigures } from './usage-figures.ts';

export interface FileHeader {
  readonly sessionId: string;
  readonly timeMs: number;
  /** As the header has it: a path, or a bare id. */
  readonly parentSession: string | null;
  /** 1 where it does not say. */
  readonly version: number;
}

/** A unit and what else its file says about it. */
export interface FileUnit {
  readonly unit: Unit;
  /**
   * Tells it from every other one; two equal sums that one tool result claims share an identity,
   * but are two.
   */
  readonly place: string;
  /**
   * Of an answer, and of a tool result with a usage of its own: what a parent that repeats it
   * computes, too.
   */
  readonly responseKey: string | null;
}

export interface EntryReader {
  /**
   * The units of one line; null for a line that should be an entry and cannot be placed in time or
   * known again.
   */
  read(line: Json): readonly FileUnit[] | null;
}

/** Null for what is no header. */
export function readHeader(line: Json): FileHeader | null {
  const timeMs = timeOf(line.timestamp);
  if (line.type !== 'session' || typeof line.id !== 'string' || line.id === '' || timeMs === null)
    return null;
  const parent = line.parentSession ?? line.branchedFrom;
  const version = typeof line.version === 'number' ? line.version : 1;
  return {
    sessionId: line.id,
    timeMs,
    parentSession: typeof parent === 'string' ? parent : null,
    version,
  };
}

/** What stands above an entry: entries of one branch share it while it does not change. */
interface Above {
  readonly provider: string | null;
  readonly model: string | null;
  readonly turnEntryId: string | null;
}

const nothingAbove: Above = { provider: null, model: null, turnEntryId: null };

/**
 * Of one file. Keeps, for each entry so far, what stands above its children: about 200 bytes an
 * entry.
 */
export function createEntryReader(sessionId: string): EntryReader {
  const places = new Map<string, Above>();
  let last: string | null = null;
  return {
    read(line) {
      if (isNoEntry(line)) return [];
      const id = textOf(line.id);
      const entryId = isUnnamed(line) ? nameOf(line) : id;
      const timeMs = timeOf(line.timestamp);
      if (entryId === null || entryId.length > 100 || timeMs === null)
        return holdsSpend(line) ? null : [];
      // Format v1 has no tree: each entry follows the one in front of it.
      const above = places.get((id === null ? last : textOf(line.parentId)) ?? '') ?? nothingAbove;
      last = id ?? entryId;
      places.set(last, below(above, entryId, line));
      return unitsOf({ sessionId, entryId, timeMs, above }, line);
    },
  };
}

function isNoEntry({ type }: Json): boolean {
  return type === 'session' || type === 'title';
}

/** Of whatever type, and whether it can be known again or not. */
export function isEntry(line: Json): boolean {
  return !isNoEntry(line) && textOf(line.type) !== null && typeof line.timestamp === 'string';
}

function below(above: Above, entryId: string, line: Json): Above {
  if (line.type === 'model_change') return afterModelChange(above, line);
  const message = messageOf(line);
  if (message?.role !== 'assistant') return above;
  return {
    provider: textOf(message.provider) ?? above.provider,
    model: textOf(message.model) ?? above.model,
    turnEntryId: entryId,
  };
}

/** omp also notes models that are meant for other roles than answering. */
function afterModelChange(above: Above, line: Json): Above {
  const role = textOf(line.role) ?? 'default';
  if (role !== 'default' && role !== 'fallback') return above;
  if (typeof line.model !== 'string')
    return { ...above, provider: textOf(line.provider), model: textOf(line.modelId) };
  const [provider = '', ...rest] = line.model.includes('/')
    ? line.model.split('/')
    : ['', line.model];
  return { ...above, provider: textOf(provider), model: textOf(rest.join('/')) };
}

interface Standing {
  readonly sessionId: string;
  readonly entryId: string;
  readonly timeMs: number;
  readonly above: Above;
}

function unitsOf(standing: Standing, line: Json): readonly FileUnit[] {
  const message = messageOf(line);
  const source = message ?? line;
  const usage = jsonObject(source.usage);
  const isAnswer = message?.role === 'assistant';
  if (usage === null && !isAnswer)
    return message?.role === 'toolResult' ? claimsOf(standing, message) : [];
  const said = usage ?? {};
  const identity = identityOf(
    standing.entryId,
    standing.timeMs,
    hasResponseId(line) ? textOf(source.responseId) : null,
    said,
    null,
  );
  const unit: Unit = {
    sessionId: standing.sessionId,
    kind: kindOf(line, message),
    claimKey: null,
    turnEntryId: message?.role === 'toolResult' ? standing.above.turnEntryId : null,
    entryId: standing.entryId,
    timeMs: standing.timeMs,
    ...whoAnswered(standing, line, message),
    ...usageFigures(said),
    identity,
  };
  return [
    {
      unit,
      place: identity,
      responseKey: isAnswer || message?.role === 'toolResult' ? responseKeyOf(message) : null,
    },
  ];
}

/** A tool's nested work, a compaction and a branch summary have none. */
function hasResponseId(line: Json): boolean {
  return (
    messageOf(line)?.role !== 'toolResult' &&
    line.type !== 'compaction' &&
    line.type !== 'branch_summary'
  );
}

const kindsOfRoles: Readonly<Record<string, string>> = { assistant: 'turn', toolResult: 'tool' };

function kindOf(line: Json, message: Json | null): string {
  if (message !== null) {
    const role = textOf(message.role) ?? 'unknown';
    return kindsOfRoles[role] ?? role;
  }
  if (line.type === 'model_usage') return 'side_call';
  return line.type === 'usage' ? (textOf(line.kind) ?? 'usage') : (textOf(line.type) ?? 'unknown');
}

/** A summary is made by the model in force; nobody says whom a tool asked. */
function whoAnswered(
  { above }: Standing,
  line: Json,
  message: Json | null,
): { provider: string | null; model: string | null } {
  if (message?.role === 'toolResult') return { provider: null, model: null };
  if (line.type === 'compaction' || line.type === 'branch_summary')
    return { provider: above.provider, model: above.model };
  const source = message ?? line;
  return {
    provider: textOf(source.provider),
    model:
      textOf(source.model) ??
      (message === null || kindOf(line, message) !== 'turn' ? textOf(source.modelId) : null),
  };
}

/**
 * What a tool result without a usage of its own says of subagents: omp one figure for each, by
 * name; pi's subagent tools repeat their messages, in which subagents of theirs may be repeated, or
 * give one figure. What is repeated twice is one claim; two equal sums are two.
 */
function claimsOf(standing: Standing, message: Json): readonly FileUnit[] {
  const claims = claimsIn(standing, jsonObject(message.details), 0);
  const repeats = new Map<string, number>();
  return claims.flatMap((claim) => {
    const isSum = claim.unit.claimKey?.startsWith('turn:') === true;
    const known = isSum ? claim.place : (claim.unit.claimKey ?? '');
    const repeat = repeats.get(known) ?? 0;
    repeats.set(known, repeat + 1);
    if (repeat === 0) return [claim];
    return isSum ? [{ ...claim, place: digestOf(`${claim.place} ${repeat}`) }] : [];
  });
}

/** Subagents of subagents of subagents: deeper is a damaged file. */
const depthMax = 32;

function claimsIn(standing: Standing, details: Json | null, depth: number): readonly FileUnit[] {
  if (details === null || depth > depthMax) return [];
  return jsonObjects(details.results).flatMap((result) => {
    const tasks = jsonObjects(jsonObject(result.extractedToolData)?.task);
    return [
      ...claimsOfResult(standing, result, depth),
      ...tasks.flatMap((task) => claimsIn(standing, task, depth + 1)),
    ];
  });
}

function claimsOfResult(standing: Standing, result: Json, depth: number): readonly FileUnit[] {
  const messages = withoutRepeatedResults(jsonObjects(result.messages));
  if (messages.length > 0)
    return messages.flatMap((message) => claimsOfMessage(standing, message, depth));
  if (jsonObject(result.usage) === null) return [];
  const isNamed = typeof result.id === 'string' && typeof result.index === 'number';
  const key = isNamed
    ? `agent:${result.id}`.slice(0, textCharsMax)
    : `turn:${standing.above.turnEntryId ?? standing.entryId}`;
  return [claimOf(standing, key, result.usage)];
}

/** Some tools keep a child's tool result twice. */
function withoutRepeatedResults(messages: readonly Json[]): readonly Json[] {
  const calls = new Set<unknown>();
  return messages.filter(({ role, toolCallId }) => {
    if (role !== 'toolResult' || typeof toolCallId !== 'string')
      return role === 'assistant' || role === 'toolResult';
    const isNew = !calls.has(toolCallId);
    calls.add(toolCallId);
    return isNew;
  });
}

function claimsOfMessage(standing: Standing, message: Json, depth: number): readonly FileUnit[] {
  if (jsonObject(message.usage) === null)
    return claimsIn(standing, jsonObject(message.details), depth + 1);
  return [claimOf(standing, responseKeyOf(message), message.usage)];
}

function claimOf(standing: Standing, claimKey: string, usage: unknown): FileUnit {
  const said = jsonObject(usage) ?? {};
  const identity = identityOf(standing.entryId, standing.timeMs, null, said, claimKey);
  const unit: Unit = {
    sessionId: standing.sessionId,
    kind: 'claim',
    claimKey,
    turnEntryId: standing.above.turnEntryId,
    entryId: standing.entryId,
    timeMs: standing.timeMs,
    provider: null,
    model: null,
    ...usageFigures(said),
    identity,
  };
  return { unit, place: identity, responseKey: null };
}

/** One answer, as whoever claims it and whoever gave it both know it. */
export function responseKeyOf(message: Json): string {
  return `response:${digestOf(sortedJson([message.responseId ?? null, message.timestamp ?? null, message.usage ?? null])).slice(0, 16)}`;
}

function jsonObjects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(jsonObject).filter((member) => member !== null) : [];
}

/**
 * An answer, or usage anywhere but in what somebody said: of a line that has no place nobody can
 * tell more.
 */
function holdsSpend(line: Json): boolean {
  const message = messageOf(line);
  if (message === null) return hasUsage(line);
  return (
    message.role === 'assistant' || hasUsage({ ...line, message: { ...message, content: null } })
  );
}

function hasUsage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => (name === 'usage' && jsonObject(member) !== null) || hasUsage(member),
  );
}

function messageOf(line: Json): Json | null {
  return line.type === 'message' ? (jsonObject(line.message) ?? {}) : null;
}

const textCharsMax = 500;
const lastMsOfYear9999 = Date.UTC(10_000, 0, 1) - 1;

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, textCharsMax) : null;
}

function timeOf(timestamp: unknown): number | null {
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return ms >= 0 && ms <= lastMsOfYear9999 ? ms : null;
}
