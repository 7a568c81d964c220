/** What a ledger holds and reports of subagents: their tree, uncovered claims, totals. */
import type { Ledger } from './ledger.ts';
import type { UsageReport } from './ledger-report.ts';

type Data = Readonly<Record<string, unknown>>;
type Tokens = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
};

export async function dataOf(
  ledger: Ledger,
  wanted: string,
): Promise<readonly (Data & { readonly subject: string })[]> {
  return (await ledger.store.events()).flatMap(({ type, subject, data }) =>
    type === wanted ? [{ ...data, subject }] : [],
  );
}

/** From the attributions: how many sessions have no parent, a parent, a parent's parent. */
export async function sessionsByDepth(ledger: Ledger): Promise<readonly number[]> {
  const parents = new Map(
    (await dataOf(ledger, 'pi.session.attributed.v1')).map(({ subject, parentSessionId }) => [
      subject,
      parentSessionId as string | null,
    ]),
  );
  const counts: number[] = [];
  for (const session of parents.keys()) {
    let depth = 0;
    for (
      let parent = parents.get(session);
      parent != null && depth < 10;
      parent = parents.get(parent)
    )
      depth += 1;
    counts[depth] = (counts[depth] ?? 0) + 1;
  }
  return counts;
}

/**
 * Claims without a matching account in the same session under the same key, as `prompt+output`. A
 * session may receive one answer more than once: from the subagent that gave it, and from those
 * between. Other keys identify sums.
 */
export async function uncovered(ledger: Ledger): Promise<readonly string[]> {
  const accounts = await dataOf(ledger, 'pi.subagent.accounted.v1');
  const claims = await dataOf(ledger, 'pi.subagent.claimed.v1');
  const isCovered = ({ subject, key, claimed }: Data) => {
    const own = accounts.filter(
      (account) => account.subject === subject && (account.keys as string[]).includes(String(key)),
    );
    const told = own.map(({ accounted }) => accounted as Tokens);
    const sums = String(key).startsWith('response:') ? told : [sumOf(told)];
    return sums.length > 0 && sums.every((sum) => line(sum) === line(claimed as Tokens));
  };
  return claims
    .filter((claim) => !isCovered(claim))
    .map(({ claimed }) => line(claimed as Tokens))
    .sort();
}

function line(tokens: Tokens): string {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = tokens;
  return `${inputTokens + cacheReadTokens + cacheWriteTokens}+${outputTokens}`;
}

function sumOf(all: readonly Tokens[]): Tokens {
  const of = (measure: keyof Tokens) => all.reduce((total, tokens) => total + tokens[measure], 0);
  return {
    inputTokens: of('inputTokens'),
    outputTokens: of('outputTokens'),
    cacheReadTokens: of('cacheReadTokens'),
    cacheWriteTokens: of('cacheWriteTokens'),
  };
}

/**
 * omp also requests names for its subagents; not all of these requests are in its session files, so
 * they are left out on both sides.
 */
export function reported({ rows }: UsageReport) {
  const answers = rows.filter(({ kind }) => kind !== 'side_call');
  return {
    records: answers.reduce((total, { records }) => total + records, 0),
    tokens: line(sumOf(answers)),
  };
}
