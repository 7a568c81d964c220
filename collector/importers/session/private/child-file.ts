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
  readonly tokens: readonly (readonly SpentTokens[])[];
}

export interface SpentTokens extends StretchTokens {
  readonly isAnswer: boolean;
}

export function spentIn(path: string, isMeant: (headed: HeadedEntry) => boolean): ChildSpent {
  const [answers, ownRecords, records]: [SpentTokens[], SpentTokens[], SpentTokens[]] = [
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
    const tokens = tokensIn(role === null ? entry.body.usage : message.usage);
    if (tokens === null) continue;
    const used = { ...tokens, isAnswer: role === 'assistant' };
    records.push(used);
    if (role === null || role === 'assistant') ownRecords.push(used);
    if (role === 'assistant') answers.push(used);
  }
  return { firstKey, tokens: [answers, ownRecords, records] };
}

/**
 * Whether records in a row add up to one of these sums: a tool's result says what a subagent has
 * used, or has used since the result before. A subagent answers; without an answer, they are what
 * tools spent, which may be the same in any session.
 */
export function addUpToOne(records: readonly SpentTokens[], sums: readonly string[]): boolean {
  /** How many answers there were at the first record with this total. */
  const answersAt = new Map<string, number>();
  let total: StretchTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  let answers = 0;
  const wanted = sums.map(tokensOfText);
  answersAt.set(tokensText(total), 0);
  return records.some((used) => {
    total = combined(total, used, 1);
    if (used.isAnswer) answers += 1;
    const isFound = wanted.some((sum) => {
      const before = answersAt.get(tokensText(combined(total, sum, -1)));
      return before !== undefined && before < answers;
    });
    if (!answersAt.has(tokensText(total))) answersAt.set(tokensText(total), answers);
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
