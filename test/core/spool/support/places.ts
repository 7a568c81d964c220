import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { encodeOwner, type SpoolOwner } from '../../../../core/spool/owner.ts';

/** An empty directory that is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pi-ledger-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const bootId = 'b'.repeat(32);

/** A process on the same machine, boot and pid namespace unless specified otherwise. */
export function ownerOf(pid: number, other: Partial<SpoolOwner> = {}): SpoolOwner {
  return {
    machine: 'aaaaaaaaaaaa',
    bootId,
    pidNamespace: '4026531836',
    pid,
    startTime: '1000',
    ...other,
  };
}

/** All files below, relative and sorted. */
export function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(directory, path)).isFile())
    .sort();
}

export interface SpooledEvent {
  readonly id: string;
  readonly source: string;
  readonly sequence: string;
}

/** The events in one owner's segments, in order, without a torn last line. */
export function eventsOf(spoolDirectory: string, owner: SpoolOwner): SpooledEvent[] {
  const directory = join(spoolDirectory, encodeOwner(owner));
  const lines = filesIn(directory).flatMap((name) =>
    readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1),
  );
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
