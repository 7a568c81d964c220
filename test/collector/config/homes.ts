/** A home with a config.json, and what the collector says is wrong with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { LedgerError } from '../../../collector/errors.ts';

/** It is there until the test has ended. */
export function homeWith(file: unknown): string {
  const home = mkdtempSync(join(tmpdir(), 'pi-ledger-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
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
