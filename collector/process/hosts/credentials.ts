/**
 * What kind of credentials pi and omp have for a provider: a plan's, whose amounts are equivalents,
 * or a key, by whose use one is billed. Reads the kind alone, never what is kept with it; keeps and
 * sends nothing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Billing } from '../../projections/rules.ts';
import { type Environment, hostFolders, isRecord, readJson } from './host-files.ts';

/** A provider's name, and the kind of credentials as the host calls it. */
type Credential = readonly [provider: string, kind: unknown];

/**
 * By provider; none where the agents have both kinds. Never throws: files that cannot be read
 * suggest nothing.
 */
export function suggestBilling(env: Environment): ReadonlyMap<string, Billing> {
  const { pi, omp } = hostFolders(env);
  const suggested = new Map<string, Billing>();
  const both = new Set<string>();
  for (const [provider, kind] of [...credentialsOfPi(pi), ...credentialsOfOmp(omp)]) {
    const billing = kind === 'oauth' ? 'subscription' : kind === 'api_key' ? 'metered' : null;
    if (billing === null) continue;
    if ((suggested.get(provider) ?? billing) !== billing) both.add(provider);
    suggested.set(provider, billing);
  }
  for (const provider of both) suggested.delete(provider);
  return suggested;
}

/** `{"anthropic": {"type": "oauth", ...}}` */
function credentialsOfPi(folder: string): readonly Credential[] {
  const file = readJson(join(folder, 'auth.json')) ?? {};
  return Object.entries(file).map(([provider, one]) => [
    provider,
    isRecord(one) ? one.type : undefined,
  ]);
}

function credentialsOfOmp(folder: string): readonly Credential[] {
  const path = join(folder, 'agent', 'agent.db');
  if (!existsSync(path)) return [];
  try {
    const url = pathToFileURL(path);
    // Neither locks nor leaves files beside what omp may be writing.
    url.search = '?immutable=1';
    const database = new DatabaseSync(url, { readOnly: true });
    try {
      return database
        .prepare('SELECT provider, credential_type AS kind FROM auth_credentials LIMIT 1000')
        .all()
        .map(({ provider, kind }): Credential => [String(provider), kind]);
    } finally {
      database.close();
    }
  } catch {
    return [];
  }
}
