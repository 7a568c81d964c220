/**
 * Turns the lines of one session file into units of spend. Shares no code with the importers, so
 * that it can catch their mistakes. Pure.
 *
 * Any entry with usage is spend, whatever its type. An answer without is an unreported attempt.
 */
import { identityOf, type Unit } from '../unit.ts';
import { readAgentIds, subagentsIn } from './collected-runs.ts';
import { asText, parseTime, readMessage } from './entry-fields.ts';
import { isNoEntry } from './file-header.ts';
import type { Above, EntryContext, FileUnit } from './file-unit.ts';
import { createPrivateLines } from './private-lines.ts';
import { readClaims, responseKeyOf } from './tool-claims.ts';
import { unitsOfTool } from './tool-usage.ts';
import { isNoPlaceOfUsage, placeOfUsage } from './unknown-place.ts';
import { isUnnamed, nameEntry } from './unnamed-entry.ts';
import { type Json, jsonObject, usageFigures } from './usage-figures.ts';

export interface EntryReader {
  /** The units of one line; null for an entry with spend but without a usable time or id. */
  read(line: Json): readonly FileUnit[] | null;
  /** Where the last line has usage, although nothing of it counts. */
  readonly unknownPlace: string | null;
  /** The user had paused the recording, so that a line that cannot be read is missed by nobody. */
  readonly isPaused: boolean;
}

const nothingAbove: Above = {
  provider: null,
  model: null,
  turnEntryId: null,
  turnAtMs: null,
  turnProvider: null,
};

/**
 * Reads one file. Remembers for each entry what stands above its children: about 200 bytes per
 * entry.
 */
export function createEntryReader(sessionId: string): EntryReader {
  const places = new Map<string, Above>();
  const privacy = createPrivateLines();
  let last: string | null = null;
  let uncounted: Json | null = null;

  function readEntry(line: Json, isAfresh: boolean): readonly FileUnit[] | null {
    const id = asText(line.id);
    const entryId = isUnnamed(line) ? nameEntry(line) : id;
    const timeMs = parseTime(line.timestamp);
    if (entryId === null || entryId.length > 100 || timeMs === null)
      return holdsSpend(line) ? null : [];
    // Format v1 has no tree: each entry follows the previous one.
    const above = places.get((id === null ? last : asText(line.parentId)) ?? '') ?? nothingAbove;
    last = id ?? entryId;
    places.set(last, isAfresh ? afresh(above) : below(above, entryId, line));
    return readUnits({ sessionId, entryId, timeMs, above }, line);
  }

  return {
    get unknownPlace() {
      return uncounted === null ? null : placeOfUsage(uncounted);
    },
    get isPaused() {
      return privacy.isPaused;
    },
    read(line) {
      uncounted = null;
      if (isNoEntry(line)) return [];
      const taken = privacy.take(line);
      const units = readEntry(line, taken === 'resumed');
      if (taken === 'private') return hidden(units ?? []);
      if (isOfOtherAgent(line)) return (units ?? []).map(asOfOtherAgent);
      if (units?.length === 0) uncounted = line;
      return isNoPlaceOfUsage(line) ? (units ?? []).map(asInUnknownPlace) : units;
    },
  };
}

function hidden(units: readonly FileUnit[]): readonly FileUnit[] {
  return units.map((unit) => ({ ...unit, isPrivate: true }));
}

/** omp names the messages that it takes over from Claude Code and Codex after these. */
function isOfOtherAgent({ type, id }: Json): boolean {
  return type === 'message' && typeof id === 'string' && /^(claude|codex)-/.test(id);
}

function asOfOtherAgent(unit: FileUnit): FileUnit {
  return { ...unit, isOfOtherAgent: true };
}

function asInUnknownPlace(unit: FileUnit): FileUnit {
  return { ...unit, isInUnknownPlace: true };
}

/** No answer of a private stretch is above what follows it; the model goes on. */
function afresh({ provider, model }: Above): Above {
  return { ...nothingAbove, provider, model };
}

function below(above: Above, entryId: string, line: Json): Above {
  if (line.type === 'model_change') return afterModelChange(above, line);
  const message = readMessage(line);
  if (message?.role !== 'assistant') return above;
  return {
    provider: asText(message.provider) ?? above.provider,
    model: asText(message.model) ?? above.model,
    turnEntryId: entryId,
    turnAtMs: parseTime(line.timestamp),
    turnProvider: asText(message.provider),
    ...readAgentIds(message),
  };
}

/** omp also records models for roles other than answering. */
function afterModelChange(above: Above, line: Json): Above {
  const role = asText(line.role) ?? 'default';
  if (role !== 'default' && role !== 'fallback') return above;
  if (typeof line.model !== 'string')
    return { ...above, provider: asText(line.provider), model: asText(line.modelId) };
  const [provider = '', ...rest] = line.model.includes('/')
    ? line.model.split('/')
    : ['', line.model];
  return { ...above, provider: asText(provider), model: asText(rest.join('/')) };
}

function readUnits(context: EntryContext, line: Json): readonly FileUnit[] {
  const message = readMessage(line);
  const ofExtension = usageOfExtension(line);
  const source = ofExtension ?? message ?? line;
  const usage = jsonObject(source.usage);
  const isAnswer = message?.role === 'assistant';
  const isUnsaidSummary = usage === null && isSummaryOfExtension(line);
  if (usage === null && !isAnswer && !isUnsaidSummary) return unitsOfDetails(context, message);
  const said = usage ?? {};
  const identity = identityOf(
    context.entryId,
    context.timeMs,
    hasResponseId(line) ? asText(source.responseId) : null,
    said,
    null,
  );
  const unit: Unit = {
    sessionId: context.sessionId,
    kind: unitKind(line, message),
    claimKey: null,
    turnEntryId: message?.role === 'toolResult' ? context.above.turnEntryId : null,
    entryId: context.entryId,
    timeMs: context.timeMs,
    ...(isUnsaidSummary ? nobody : whoAnswered(context, ofExtension ?? line, message)),
    ...usageFigures(said),
    identity,
  };
  return [
    {
      unit,
      unitId: identity,
      responseKey: isAnswer || message?.role === 'toolResult' ? responseKeyOf(message) : null,
      turnAtMs: context.above.turnAtMs,
      ...(message?.role === 'toolResult' && subagentsIn(context, message)),
      ...(ofExtension !== null && { isLowerBound: true }),
      ...(isUnsaidSummary && { isUnsaidSummary }),
    },
  ];
}

/** What a tool result without usage of its own says elsewhere. */
function unitsOfDetails(context: EntryContext, message: Json | null): readonly FileUnit[] {
  if (message?.role !== 'toolResult') return [];
  const about = subagentsIn(context, message);
  const claims = readClaims(context, message).map((claim) => ({ ...claim, ...about }));
  return [...unitsOfTool(context, message), ...claims];
}

const nobody = { provider: null, model: null };

/** An extension's own entry may say what it spent, if only of its last answer. */
function usageOfExtension(line: Json): Json | null {
  if (line.type !== 'custom' || jsonObject(line.usage) !== null) return null;
  const data = jsonObject(line.data);
  const usage = jsonObject(data?.usage);
  return usage !== null && usageFigures(usage).reported ? data : null;
}

/** A host that summarises says what it cost; of an extension nobody does. */
function isSummaryOfExtension({ type, fromHook, fromExtension }: Json): boolean {
  const isSummary = type === 'compaction' || type === 'branch_summary';
  return isSummary && (fromHook === true || fromExtension === true);
}

/** A tool's nested work, a compaction and a branch summary have no response id. */
function hasResponseId(line: Json): boolean {
  return (
    readMessage(line)?.role !== 'toolResult' &&
    line.type !== 'compaction' &&
    line.type !== 'branch_summary'
  );
}

const kindsOfRoles: Readonly<Record<string, string>> = { assistant: 'turn', toolResult: 'tool' };

function unitKind(line: Json, message: Json | null): string {
  if (message !== null) {
    const role = asText(message.role) ?? 'unknown';
    return kindsOfRoles[role] ?? role;
  }
  if (line.type === 'model_usage') return 'side_call';
  return line.type === 'usage' ? (asText(line.kind) ?? 'usage') : (asText(line.type) ?? 'unknown');
}

/** The current model makes summaries; the model behind a tool's nested work is not recorded. */
function whoAnswered(
  { above }: EntryContext,
  line: Json,
  message: Json | null,
): { provider: string | null; model: string | null } {
  if (message?.role === 'toolResult') return { provider: null, model: null };
  if (line.type === 'compaction' || line.type === 'branch_summary')
    return { provider: above.provider, model: above.model };
  const source = message ?? line;
  return {
    provider: asText(source.provider),
    model:
      asText(source.model) ??
      (message === null || unitKind(line, message) !== 'turn' ? asText(source.modelId) : null),
  };
}

/**
 * Whether a line that cannot be placed is an answer, or has usage anywhere outside a message's
 * content.
 */
function holdsSpend(line: Json): boolean {
  const message = readMessage(line);
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
