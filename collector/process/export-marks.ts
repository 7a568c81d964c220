/**
 * `exports.json` in PI_LEDGER_HOME: how far subscribers were known to be, outside of the store. A
 * checkpoint never falls, so one that is lower than it was is that of a store that was put back to
 * an earlier state. What is noted here may be older than the checkpoint, which proves nothing.
 *
 * Does not notice: a store that is put back where another home reads it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '@pi-ledger/core/machine/regular-file';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { homeFiles } from '../config/home-files.ts';
import type { SubscriberMarks } from '../subscription/subscriber-processor.ts';

const Content = Type.Object({
  storeId: Type.String(),
  positions: Type.Record(Type.String(), Type.Integer()),
});

const fileBytesMax = 64 * 1024;
const writeEveryMs = 1_000;

/** `cell`: its number; each has a file of its own. */
export function createExportMarks(home: string, storeId: string, cell = 0): SubscriberMarks {
  const path = join(home, cell === 0 ? homeFiles.exports : `${homeFiles.exports}.cell${cell}`);
  const positions = new Map<string, number>();
  let isRead = false;
  let writtenAtMs = Number.NEGATIVE_INFINITY;

  function read(): void {
    if (isRead) return;
    isRead = true;
    for (const [name, position] of Object.entries(readContent(path, storeId)))
      positions.set(name, position);
  }

  return {
    of(name) {
      read();
      return positions.get(name) ?? null;
    },
    note(name, position) {
      read();
      const isLower = position < (positions.get(name) ?? 0);
      positions.set(name, position);
      if (!isLower && performance.now() - writtenAtMs < writeEveryMs) return;
      writtenAtMs = performance.now();
      write(path, { storeId, positions: Object.fromEntries(positions) });
    },
  };
}

function write(path: string, content: Static<typeof Content>): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // Nothing is noted then, and a store that is put back goes unnoticed. Exporting goes on.
  }
}

/** Nothing of another store, or where there is no such file. */
function readContent(path: string, storeId: string): Static<typeof Content>['positions'] {
  try {
    const content: unknown = JSON.parse(readRegularFile(path, { bytesMax: fileBytesMax }));
    return Value.Check(Content, content) && content.storeId === storeId ? content.positions : {};
  } catch {
    return {};
  }
}
