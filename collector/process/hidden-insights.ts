/**
 * `insights.json` in PI_LEDGER_HOME: the insights that are hidden, by id. It is no setting, since
 * commands write it: `config.json` stays as its user wrote it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '@pi-ledger/core/machine/regular-file';
import { homeFiles } from '../config/home-files.ts';

export interface HiddenInsights {
  read(): ReadonlySet<string>;
  /** Returns all that are hidden then. Throws when the file cannot be written. */
  hide(id: string, isHidden: boolean): ReadonlySet<string>;
}

const fileBytesMax = 64 * 1024;
/** Beyond it, the ones hidden longest ago are shown again. */
const idsMax = 1_000;

export function createHiddenInsights(home: string): HiddenInsights {
  const path = join(home, homeFiles.insights);
  const read = (): ReadonlySet<string> => {
    try {
      const { hidden }: { hidden?: unknown } = JSON.parse(
        readRegularFile(path, { bytesMax: fileBytesMax }),
      );
      return new Set(Array.isArray(hidden) ? hidden.filter(isId) : []);
    } catch {
      return new Set(); // none was ever hidden, or a damaged file: everything is shown
    }
  };
  return {
    read,
    hide(id, isHidden) {
      const ids = new Set(read());
      ids.delete(id);
      if (isHidden) ids.add(id);
      const hidden = [...ids].slice(-idsMax);
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify({ hidden })}\n`, { mode: 0o600 });
      renameSync(draft, path);
      return new Set(hidden);
    },
  };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}$/.test(value);
}
