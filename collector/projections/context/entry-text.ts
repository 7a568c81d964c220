/**
 * Stored form of entries: lists instead of objects, because a long session has tens of thousands.
 */
import type {
  BranchSummaryFact,
  CompactionFact,
  EntryFact,
  SizeFigures,
  ToolFact,
} from './facts.ts';
import { parseTurn, type StoredJson, turnText, withoutNulls } from './turn-text.ts';

export type EntryText = readonly StoredJson[];

type Kind = EntryFact['kind'];
const kinds: readonly Kind[] = [
  'user',
  'turn',
  'tool',
  'message',
  'model',
  'usage',
  'compaction',
  'branchSummary',
  'edit',
];

export function encodeEntry(fact: EntryFact): EntryText {
  const { time, id, parentId, promptId, sizes, kind } = fact;
  return [kinds.indexOf(kind), time, id, parentId, promptId, trimmed(sizes), ...rest(fact)];
}

export function decodeEntry(text: EntryText): EntryFact {
  const [kind, time, id, parentId, promptId, sizes, ...more] = text as readonly never[];
  const place = {
    time,
    id,
    parentId,
    promptId,
    sizes: filled(sizes as unknown as readonly number[]),
  };
  return { ...place, ...parseRest(kinds[kind as unknown as number] ?? 'user', more) } as EntryFact;
}

function rest(fact: EntryFact): readonly StoredJson[] {
  switch (fact.kind) {
    case 'user':
      return [];
    case 'turn':
      return turnText(fact);
    case 'tool':
      return toolText(fact);
    case 'message':
      return [fact.role, fact.toolDefinitionChars, fact.toolsChanged];
    case 'model':
      return [fact.provider, fact.model, fact.thinkingLevel, fact.role];
    case 'usage':
      return [fact.usageKind, fact.costNanoUsd, fact.provider];
    case 'edit':
      return [fact.targetId, fact.removed];
    case 'compaction':
      return [
        ...summaryText(fact),
        fact.tokensBefore,
        fact.tokensAfterEstimated,
        fact.firstKeptId,
        fact.method,
        fact.toolDefinitionChars,
      ];
    case 'branchSummary':
      return [...summaryText(fact), fact.fromId];
  }
}

function parseRest(kind: Kind, more: readonly never[]): Partial<EntryFact> {
  switch (kind) {
    case 'user':
      return { kind };
    case 'turn':
      return parseTurn(more);
    case 'tool': {
      const [toolName, isError, turnId, paths = [], ...timed] = more;
      const [callId = null, durationMs = null, provider = '', costNanoUsd = null] = timed;
      const rest = { paths, callId, durationMs, provider, costNanoUsd };
      return { kind, toolName, isError, turnId, ...rest } as unknown as Partial<ToolFact>;
    }
    case 'message':
      return parseMessage(more);
    case 'model': {
      const [provider, model, thinkingLevel, role] = more;
      return { kind, provider, model, thinkingLevel, role } as unknown as Partial<EntryFact>;
    }
    case 'usage': {
      const [usageKind, costNanoUsd, provider = ''] = more;
      return { kind, usageKind, costNanoUsd, provider } as unknown as Partial<EntryFact>;
    }
    case 'edit': {
      const [targetId, removed] = more;
      return { kind, targetId, removed } as unknown as Partial<EntryFact>;
    }
    case 'compaction': {
      const [tokensBefore, tokensAfterEstimated, firstKeptId, method, toolDefinitionChars] =
        more.slice(summaryLength);
      return {
        kind,
        ...parseSummary(more),
        tokensBefore,
        tokensAfterEstimated,
        firstKeptId,
        method,
        toolDefinitionChars,
      } as unknown as Partial<CompactionFact>;
    }
    case 'branchSummary':
      return {
        kind,
        ...parseSummary(more),
        fromId: more[summaryLength],
      } as unknown as Partial<BranchSummaryFact>;
  }
}

function parseMessage(more: readonly never[]): Partial<EntryFact> {
  const [role, toolDefinitionChars, toolsChanged] = more;
  return {
    kind: 'message',
    role,
    toolDefinitionChars,
    toolsChanged,
  } as unknown as Partial<EntryFact>;
}

function toolText(tool: ToolFact): readonly StoredJson[] {
  const { toolName, isError, turnId, paths, callId, durationMs, provider, costNanoUsd } = tool;
  const text = [toolName, isError, turnId, paths, callId, durationMs];
  return withoutNulls(
    provider === '' && costNanoUsd === null ? text : [...text, provider, costNanoUsd],
  );
}

const summaryLength = 7;

function summaryText(fact: CompactionFact | BranchSummaryFact): readonly StoredJson[] {
  const {
    fromExtension,
    filesRead,
    filesReadCount,
    filesModified,
    filesModifiedCount,
    spend,
    eventId,
  } = fact;
  const call = spend === null ? null : { ...spend };
  return [
    fromExtension,
    filesRead,
    filesReadCount,
    filesModified,
    filesModifiedCount,
    call,
    eventId,
  ];
}

function parseSummary(more: readonly never[]): Partial<CompactionFact> {
  const [
    fromExtension,
    filesRead,
    filesReadCount,
    filesModified,
    filesModifiedCount,
    spend,
    eventId,
  ] = more;
  const said = {
    fromExtension,
    filesRead,
    filesReadCount,
    filesModified,
    filesModifiedCount,
    spend,
    eventId,
  };
  return said as unknown as Partial<CompactionFact>;
}

/** Without the zeros at the end. */
function trimmed(sizes: SizeFigures): readonly number[] {
  return sizes.slice(0, sizes.findLastIndex((size) => size !== 0) + 1);
}

function filled([
  textChars = 0,
  thinkingChars = 0,
  toolCallChars = 0,
  otherChars = 0,
  images = 0,
]: readonly number[]): SizeFigures {
  return [textChars, thinkingChars, toolCallChars, otherChars, images];
}
