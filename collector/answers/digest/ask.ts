/** What a digest says, asked of the same routes as the commands that it names. */
import type {
  BudgetList,
  CompactionList,
  Insights,
  Usage,
  UsageFigures,
} from '@pi-ledger/contract/answers';
import { type LedgerClient, RefusedError } from '../../cli/client/ledger-client.ts';
import type { DigestPeriod, Span } from './period.ts';

export interface Digest {
  readonly period: DigestPeriod;
  readonly total: UsageFigures;
  readonly before: UsageFigures;
  readonly projects: Usage;
  readonly models: Usage;
  /** By session and project. */
  readonly sessions: Usage;
  readonly insights: Insights;
  /** Those that cost more than they saved. */
  readonly compactions: CompactionList;
  /** It is null when the collector is too old to have budgets. */
  readonly budgets: BudgetList | null;
}

const insightsMax = 5;
const compactionsMax = 5;

/** `filters`: of all of them, and the zone. */
export async function askDigest(
  client: Pick<LedgerClient, 'get' | 'getAll'>,
  period: DigestPeriod,
  filters: URLSearchParams,
): Promise<Digest> {
  const usage = (by: string, span: Span = period) =>
    client.getAll('/v1/usage', within(filters, span, { by }));
  const projects = await usage('project');
  return {
    period,
    projects,
    total: projects.total,
    before: (await usage('project', period.before)).total,
    models: await usage('model'),
    sessions: await usage('session,project'),
    insights: await askInsights(client, period, filters),
    compactions: await client.get('/v1/compactions', {
      query: within(filters, period, { net: 'negative', limit: String(compactionsMax) }),
    }),
    budgets: await askBudgets(client, filters),
  };
}

/** They know the spender's own days only. */
function askInsights(
  client: Pick<LedgerClient, 'get'>,
  period: DigestPeriod,
  filters: URLSearchParams,
): Promise<Insights> {
  const query = within(filters, period, { limit: String(insightsMax) });
  query.delete('timezone');
  return client.get('/v1/insights', { query });
}

/** For what else is asked of the period. */
export function within(
  filters: URLSearchParams,
  { since, until, latest = until }: Span & Partial<Pick<DigestPeriod, 'latest'>>,
  more: Readonly<Record<string, string>> = {},
): URLSearchParams {
  return new URLSearchParams([...filters, ...Object.entries({ since, until: latest, ...more })]);
}

const budgetFilters = ['project', 'user'] as const;

async function askBudgets(
  client: Pick<LedgerClient, 'get'>,
  filters: URLSearchParams,
): Promise<BudgetList | null> {
  const query = new URLSearchParams(
    budgetFilters.flatMap((name) => filters.getAll(name).map((value) => [name, value])),
  );
  try {
    return await client.get('/v1/budgets', { query });
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return null;
    throw error;
  }
}
