/**
 * Why an answer has no rows: nothing recorded, files that wait, nothing in the period, nothing that
 * fits the filter. Each with the next step.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { homeFiles } from '../../config/home-files.ts';
import { defaultRoots } from '../../importers/default-roots.ts';
import { importers } from '../../importers/registry.ts';
import { type Terminal, UsageError } from '../command.ts';
import { type FilterOptions, filterNames, flagOf, usageFilterNames } from '../filters.ts';
import { countOf } from '../output/counts.ts';
import { formatDay, formatNames, formatTime } from '../output/format.ts';
import { asCalled } from '../own-line.ts';
import type { LedgerClient } from './ledger-client.ts';
import { unknownNames } from './unknown-names.ts';

/** Throws a UsageError that lists the names if the user filters by one that was never seen. */
export async function whyEmpty(
  client: LedgerClient,
  options: FilterOptions,
  terminal: Terminal,
): Promise<string> {
  const said = async () => {
    const unknown = await unknownNames(client, options);
    if (unknown.length > 0) throw new UsageError(unknown.join('; '));
    if (await isEmpty(client, new URLSearchParams())) return nothingAtAll(client, terminal);
    const filters = toFilters(options);
    if (await isEmpty(client, filters)) return `Nothing fits: ${filterText(options)}.`;
    return nothingThen(client, filters, options, terminal);
  };
  return asCalled(terminal, await said());
}

/** Why no tool is in an answer: other work may be. */
export async function whyNoTools(
  client: LedgerClient,
  parameters: URLSearchParams,
  options: FilterOptions,
  terminal: Terminal,
): Promise<string> {
  const query = new URLSearchParams(parameters);
  query.set('limit', '1');
  const { rows } = await client.get('/v1/usage', { query });
  return rows.length > 0 ? 'No tool was called.' : whyEmpty(client, options, terminal);
}

/** Resolves to null if something is recorded. Other empty answers have their own words. */
export async function nothingRecorded(
  client: LedgerClient,
  terminal: Terminal,
): Promise<string | null> {
  if (!(await isEmpty(client, new URLSearchParams()))) return null;
  return asCalled(terminal, await nothingAtAll(client, terminal));
}

async function isEmpty(client: LedgerClient, filters: URLSearchParams): Promise<boolean> {
  const query = new URLSearchParams(filters);
  query.set('by', 'kind');
  query.set('limit', '1');
  return (await client.get('/v1/usage', { query })).rows.length === 0;
}

function toFilters(options: FilterOptions): URLSearchParams {
  const filters = new URLSearchParams();
  for (const name of [...filterNames, ...usageFilterNames])
    for (const value of options[name] ?? []) filters.append(name, value);
  return filters;
}

function filterText(options: FilterOptions): string {
  return [...filterNames, ...usageFilterNames]
    .flatMap((name) => {
      const values = options[name];
      return values === undefined ? [] : [`${flagOf(name).replace('-', ' ')} ${values.join(', ')}`];
    })
    .join(' with ');
}

async function nothingThen(
  client: LedgerClient,
  filters: URLSearchParams,
  { timezone }: FilterOptions,
  terminal: Terminal,
): Promise<string> {
  const query = new URLSearchParams(filters);
  // Lists of sessions know no other ones.
  for (const name of usageFilterNames) if (name !== 'label') query.delete(name);
  query.set('limit', '1');
  const [newest] = (await client.get('/v1/sessions', { query })).rows;
  if (newest === undefined) return 'Nothing in this period.';
  const [day = ''] = formatTime(newest.lastSeenAt, timezone).split(' ');
  const [today = ''] = formatTime(terminal.now().toISOString(), timezone).split(' ');
  return `Nothing in this period; the newest session is of ${formatDay(day, today)}.`;
}

async function nothingAtAll(client: LedgerClient, terminal: Terminal): Promise<string> {
  if (client.source !== null) return `Nothing is recorded yet at ${client.source}.`;
  const { found, waiting, agents } = await countFiles(client, terminal);
  if (waiting > 0) {
    const files = `${countOf(waiting, 'session file')} ${waiting === 1 ? 'waits' : 'wait'}`;
    return (
      `Nothing is recorded yet: ${files}. pi-ledger import reads them now, a running collector ` +
      'within 30 s.'
    );
  }
  return found > 0
    ? `Nothing is recorded yet: the ${countOf(found, 'session file')} imported hold no spend.`
    : `Nothing is recorded yet, and there are no session files of ${agents}. ` +
        'pi-ledger doctor checks the set-up.';
}

async function countFiles(client: LedgerClient, { env }: Terminal) {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { discover } = await import('../../importers/discover.ts');
  const { createIssues } = await import('../../importers/issues.ts');
  const { openProgress } = await import('../../importers/progress/progress.ts');
  const found = await discover(defaultRoots(env, env.HOME || homedir()), createIssues());
  const { storeId = '' } = await client.getAnyway('/health/ready');
  const path = join(loadCollectorConfig(env).home, homeFiles.imports);
  const progress = openProgress({ path, storeId, readOnly: true });
  const known = progress.files();
  progress.close();
  return {
    found: found.length,
    waiting: found.filter(({ path: at }) => !known.has(at)).length,
    agents: formatNames(importers, 'disjunction'),
  };
}
