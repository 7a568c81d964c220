/** What a subagent's file tells of itself, as far as a private stretch of its parent may, too. */
import { entryMessage, entryRole } from '@pi-ledger/core/record/entry';
import { readMark } from '@pi-ledger/core/record/privacy';
import { responseKeyOf } from '@pi-ledger/core/record/subagent';
import { entriesInFile, type HeadedEntry } from './entries-in-file.ts';
import { type StretchTokens, tokensIn, tokensText } from './told-by-results.ts';

/** It was paused before its first answer: its own entries say what of it is private. */
export function beginsPaused(path: string): boolean {
  for (const { entry } of entriesInFile(path)) {
    const mark = readMark(entry);
    if (mark !== null) return mark.state === 'paused';
    if (entryRole(entry) === 'assistant') return false;
  }
  return false;
}

export interface ChildSpent {
  /** It is the key of the first answer, as a result of its parent's tool would repeat it. */
  readonly firstKey: string | null;
  /**
   * In the order of the file: of answers; with compactions and other entries that are no messages;
   * with what its tools spent. Packages sum up one of these.
   */
  readonly tokens: readonly (readonly StretchTokens[])[];
}

export function spentIn(path: string, isMeant: (headed: HeadedEntry) => boolean): ChildSpent {
  const [answers, ownRecords, records]: [StretchTokens[], StretchTokens[], StretchTokens[]] = [
    [],
    [],
    [],
  ];
  let firstKey: string | null = null;
  for (const headed of entriesInFile(path)) {
    const { entry } = headed;
    if (!isMeant(headed)) continue;
    const [role, message] = [entryRole(entry), entryMessage(entry)];
    if (role === 'assistant') firstKey ??= responseKeyOf(message);
    const used = tokensIn(role === null ? entry.body.usage : message.usage);
    if (used === null) continue;
    records.push(used);
    if (role === null || role === 'assistant') ownRecords.push(used);
    if (role === 'assistant') answers.push(used);
  }
  return { firstKey, tokens: [answers, ownRecords, records] };
}

/**
 * Whether records in a row add up to one of these sums: a tool's result says what a subagent has
 * used, or has used since the result before.
 */
export function addUpToOne(records: readonly StretchTokens[], sums: readonly string[]): boolean {
  const before = new Set<string>();
  let total: StretchTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const wanted = sums.map(tokensOfText);
  before.add(tokensText(total));
  return records.some((used) => {
    total = combined(total, used, 1);
    const isFound = wanted.some((sum) => before.has(tokensText(combined(total, sum, -1))));
    before.add(tokensText(total));
    return isFound;
  });
}

function combined(left: StretchTokens, right: StretchTokens, sign: 1 | -1): StretchTokens {
  return {
    input: left.input + sign * right.input,
    output: left.output + sign * right.output,
    cacheRead: left.cacheRead + sign * right.cacheRead,
    cacheWrite: left.cacheWrite + sign * right.cacheWrite,
  };
}

function tokensOfText(text: string): StretchTokens {
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = text.split(',').map(Number);
  return { input, output, cacheRead, cacheWrite };
}
