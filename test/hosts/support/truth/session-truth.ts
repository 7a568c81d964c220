/**
 * What session files say was spent, read by code independent of the ledger's, for comparison.
 *
 * Every entry with usage counts once, however many files contain a copy. Usage of a subagent that a
 * tool result's `details` repeat is no record: the subagent's own file has it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nanoUsd } from './nano-usd.ts';

export interface TruthRecord {
  readonly kind: string;
  /** The oldest file that contains the entry: where it was created. */
  readonly file: string;
  /** From that file's header. */
  readonly sessionId: string;
  readonly entryId: string;
  readonly timestamp: string;
  /** As the entry says; for one that does not (a compaction), the current model above it. */
  readonly model: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly costNanoUsd: bigint;
  /** Of input, output, cache reads and cache writes. */
  readonly costParts: CostParts;
  /** Tokens were used, but no price was known. */
  readonly unpriced: boolean;
  /** The host reports no usage: a failed or aborted attempt. */
  readonly unreported: boolean;
}

type CostParts = readonly [bigint, bigint, bigint, bigint];

interface TruthTotals {
  readonly records: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly costNanoUsd: bigint;
  readonly costParts: CostParts;
  readonly unpricedRecords: number;
  readonly unreportedRecords: number;
}

export interface SessionTruth {
  /** Ordered by time. */
  readonly records: readonly TruthRecord[];
  readonly totals: TruthTotals;
  readonly kinds: Readonly<Record<string, number>>;
  readonly files: readonly string[];
  /** Repeated entries with usage: copies made by forks and clones. */
  readonly copies: number;
  /** Copies, by their age, whose original is in none of the files. They count. */
  readonly orphans: number;
}

type Json = Readonly<Record<string, unknown>>;

interface Sighting {
  readonly record: TruthRecord;
  readonly identity: string;
  /** Older than the header of its file. */
  readonly copied: boolean;
}

/** Contract: reads every `.jsonl` below the folder; throws only if the folder cannot be read. */
export function readSessionTruth(directory: string): SessionTruth {
  const files = sessionFiles(directory);
  const sightings = files.flatMap((file) => sightingsIn(file));
  const byIdentity = Map.groupBy(sightings, ({ identity }) => identity);
  const owners = [...byIdentity.values()].map(
    (same) => same.find(({ copied }) => !copied) ?? (same[0] as Sighting),
  );
  const records = owners
    .map(({ record }) => record)
    .sort((left, right) => left.timestamp.localeCompare(right.timestamp));
  return {
    records,
    totals: totalsOf(records),
    kinds: countBy(records, ({ kind }) => kind),
    files,
    copies: sightings.length - owners.length,
    orphans: owners.filter(({ copied }) => copied).length,
  };
}

export function totalsOf(records: readonly TruthRecord[]): TruthTotals {
  const sum = (value: (record: TruthRecord) => number) =>
    records.reduce((total, record) => total + value(record), 0);
  return {
    records: records.length,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    reasoningTokens: sum(({ reasoningTokens }) => reasoningTokens),
    costNanoUsd: records.reduce((total, { costNanoUsd }) => total + costNanoUsd, 0n),
    costParts: partsOf((at) =>
      records.reduce((total, { costParts }) => total + (costParts[at] ?? 0n), 0n),
    ),
    unpricedRecords: records.filter(({ unpriced }) => unpriced).length,
    unreportedRecords: records.filter(({ unreported }) => unreported).length,
  };
}

function sessionFiles(directory: string): readonly string[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(directory, name));
}

function sightingsIn(file: string): readonly Sighting[] {
  const entries = readFileSync(file, 'utf8').split('\n').flatMap(parseEntry);
  const header = entries.find(({ type }) => type === 'session');
  const session = {
    file,
    sessionId: textOf(header?.id),
    startedMs: Date.parse(textOf(header?.timestamp)),
    byId: new Map(entries.map((entry) => [textOf(entry.id), entry])),
  };
  return entries.flatMap((entry) => sighting(entry, session));
}

/**
 * A line that is not JSON is an incomplete line of a crash; omp's title slot is padded with blanks
 * and parses.
 */
function parseEntry(line: string): readonly Json[] {
  try {
    return [record(JSON.parse(line))];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

interface SessionFile {
  readonly file: string;
  readonly sessionId: string;
  readonly startedMs: number;
  readonly byId: ReadonlyMap<string, Json>;
}

function sighting(entry: Json, session: SessionFile): readonly Sighting[] {
  const message = record(entry.message);
  const usage = entry.type === 'message' ? message.usage : entry.usage;
  if (typeof usage !== 'object' || usage === null) return [];
  const [entryId, timestamp] = [textOf(entry.id), textOf(entry.timestamp)];
  const identity = JSON.stringify([entryId, timestamp, message.responseId ?? null, usage]);
  const { file, sessionId, startedMs, byId } = session;
  const told = {
    kind: kindOf(entry, message),
    file,
    sessionId,
    entryId,
    timestamp,
    model: modelOf(entry) ?? modelAbove(entry, byId),
  };
  return [
    {
      record: { ...told, ...amounts(record(usage)) },
      identity,
      copied: Date.parse(timestamp) < startedMs,
    },
  ];
}

function kindOf(entry: Json, message: Json): string {
  if (entry.type === 'message') {
    const kinds: Readonly<Record<string, string>> = { assistant: 'turn', toolResult: 'tool' };
    return kinds[textOf(message.role)] ?? textOf(message.role);
  }
  if (entry.type === 'usage') return textOf(entry.kind) || textOf(entry.subtype) || 'cache_warm';
  return entry.type === 'model_usage' ? 'side_call' : textOf(entry.type);
}

function modelOf(entry: Json): string | undefined {
  return textOf(record(entry.message).model) || textOf(entry.model) || undefined;
}

/** The model of the nearest entry above that names one. A damaged file may contain a cycle. */
function modelAbove(entry: Json, byId: ReadonlyMap<string, Json>): string | undefined {
  const seen = new Set([entry]);
  for (
    let above = parentOf(entry, byId);
    above !== undefined && !seen.has(above);
    above = parentOf(above, byId)
  ) {
    const model = modelOf(above) ?? (textOf(above.modelId) || undefined);
    if (model !== undefined) return model;
    seen.add(above);
  }
  return undefined;
}

function parentOf(entry: Json, byId: ReadonlyMap<string, Json>): Json | undefined {
  const parentId = textOf(entry.parentId);
  return parentId === '' ? undefined : byId.get(parentId);
}

function amounts(usage: Json) {
  const inputTokens = numberOf(usage.input);
  const outputTokens = numberOf(usage.output);
  const cacheReadTokens = numberOf(usage.cacheRead);
  const cacheWriteTokens = numberOf(usage.cacheWrite);
  const reasoningTokens = numberOf(usage.reasoning) || numberOf(usage.reasoningTokens);
  const cost = record(usage.cost);
  const costTotal = numberOf(cost.total);
  const anyTokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens > 0;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
    costNanoUsd: nanoUsd(costTotal),
    costParts: partsOf((at) => nanoUsd(numberOf(cost[partNames[at] ?? '']))),
    unpriced: anyTokens && costTotal === 0 && cost.totalFromProvider !== true,
    unreported: !anyTokens && costTotal === 0,
  };
}

const partNames = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

function partsOf(partAt: (index: number) => bigint): CostParts {
  return [partAt(0), partAt(1), partAt(2), partAt(3)];
}

function countBy<Item>(
  items: readonly Item[],
  key: (item: Item) => string,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...Map.groupBy(items, key)].map(([name, group]) => [name, group.length]),
  );
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
