/** What a subagent's file tells of itself, as far as a private stretch of its parent may, too. */
import { messageOf, roleOf } from '@pi-ledger/extension/record/entry';
import { markOf } from '@pi-ledger/extension/record/privacy';
import { responseKeyOf } from '@pi-ledger/extension/record/subagent';
import { entriesInFile, type HeadedEntry } from './entries-in-file.ts';
import { type Tokens, tokensIn, tokensText } from './private-stretches.ts';

/** It was paused before its first answer: its own entries say what of it is private. */
export function beginsPaused(path: string): boolean {
  for (const { entry } of entriesInFile(path)) {
    const mark = markOf(entry);
    if (mark !== null) return mark.state === 'paused';
    if (roleOf(entry) === 'assistant') return false;
  }
  return false;
}

export interface Answers {
  /** Of the first answer, as a result of its parent's tool would repeat it. */
  readonly firstKey: string | null;
  readonly tokens: readonly Tokens[];
}

export function answersIn(path: string, isMeant: (headed: HeadedEntry) => boolean): Answers {
  const tokens: Tokens[] = [];
  let firstKey: string | null = null;
  for (const headed of entriesInFile(path)) {
    const { entry } = headed;
    if (roleOf(entry) !== 'assistant' || !isMeant(headed)) continue;
    firstKey ??= responseKeyOf(messageOf(entry));
    const used = tokensIn(messageOf(entry).usage);
    if (used !== null) tokens.push(used);
  }
  return { firstKey, tokens };
}

/**
 * Whether answers in a row add up to one of these sums: a tool's result says what a subagent has
 * used, or has used since the result before.
 */
export function addUpToOne(answers: readonly Tokens[], sums: readonly string[]): boolean {
  const before = new Set<string>();
  let total: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const wanted = sums.map(tokensOfText);
  before.add(tokensText(total));
  return answers.some((answer) => {
    total = combined(total, answer, 1);
    const isFound = wanted.some((sum) => before.has(tokensText(combined(total, sum, -1))));
    before.add(tokensText(total));
    return isFound;
  });
}

function combined(left: Tokens, right: Tokens, sign: 1 | -1): Tokens {
  return {
    input: left.input + sign * right.input,
    output: left.output + sign * right.output,
    cacheRead: left.cacheRead + sign * right.cacheRead,
    cacheWrite: left.cacheWrite + sign * right.cacheWrite,
  };
}

function tokensOfText(text: string): Tokens {
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = text.split(',').map(Number);
  return { input, output, cacheRead, cacheWrite };
}
