/** docker-compose.yml, read as Compose reads it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export interface Service {
  readonly image: string;
  readonly build?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly profiles?: readonly string[];
  readonly mem_limit?: string;
  readonly volumes?: readonly (string | { readonly source: string; readonly target: string })[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const text = read('docker-compose.yml');
export const compose = parseCompose(text);

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function parseCompose(source: string): ComposeFile {
  return parse(source, { merge: true }) as ComposeFile;
}

export function variablesOf(source: string): readonly string[] {
  return [...source.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name]) => String(name));
}

/** As Compose does it, for `${NAME:-default}` and `${NAME:?message}`. */
export function fill(value: string, variables: Readonly<Record<string, string>>): string {
  return value.replace(
    /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string, rest: string) => {
      const found = variables[name];
      if (found) return found;
      if (kind === '-') return rest;
      throw new Error(`${name} ${rest}`);
    },
  );
}
