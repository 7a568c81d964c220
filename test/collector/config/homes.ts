/** A home with a config.json, and what the collector says is wrong with it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { LedgerError } from '../../../collector/errors.ts';
import { temporaryDirectory } from '../support/directory.ts';

export const directory = temporaryDirectory();
let homes = 0;

export function homeWith(file: unknown): string {
  homes += 1;
  const home = join(directory, String(homes));
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), typeof file === 'string' ? file : JSON.stringify(file));
  return home;
}

export function problemsOf(environment: Record<string, string>): string {
  try {
    loadCollectorConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(LedgerError);
    expect(error).toMatchObject({ code: 'config_invalid', exitCode: 2 });
    return (error as Error).message;
  }
  throw new Error('it was taken');
}
