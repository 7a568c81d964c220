/** What a subagent's file tells of itself, as far as a private stretch of its parent may, too. */
import { type Entry, messageOf, roleOf, timeMsOf } from '@pi-ledger/extension/record/entry';
import { markOf } from '@pi-ledger/extension/record/privacy';
import { responseKeyOf } from '@pi-ledger/extension/record/subagent';
import { entriesInFile } from './entries-in-file.ts';
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

export interface OwnAnswers {
  /** Of the first answer, as a result of its parent's tool would repeat it. */
  readonly firstKey: string | null;
  readonly tokens: readonly Tokens[];
}

export function ownAnswersIn(path: string): OwnAnswers {
  const tokens: Tokens[] = [];
  let firstKey: string | null = null;
  for (const { header, entry } of entriesInFile(path)) {
    if (roleOf(entry) !== 'assistant' || isOlder(entry, header.timeMs)) continue;
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

function isOlder({ timestamp }: Entry, timeMs: number): boolean {
  return (timeMsOf(timestamp) ?? 0) < timeMs;
}
