/**
 * `install.json` in PI_LEDGER_HOME: what `init` did, so that `uninstall` undoes that and nothing
 * else. What is about to be done is noted before: an `init` that was killed is undone, too.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '@pi-ledger/core/machine/regular-file';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const Done = Type.Object({
  /** By host: the command that takes the extension out again. */
  extensions: Type.Record(Type.String(), Type.Array(Type.String())),
  /** Keys of `config.json` with the values that were written; `billing` by provider. */
  settings: Type.Record(Type.String(), Type.Unknown()),
  /** These are the values that the user had there before; other keys were not set. */
  before: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  service: Type.Union([
    Type.Null(),
    Type.Object({ manager: Type.String(), name: Type.String(), file: Type.String() }),
  ]),
  /** The folder of the copy that the service runs; null: none was made. */
  copy: Type.Union([Type.Null(), Type.String()]),
});
type Done = Static<typeof Done>;

const nothing: Done = { extensions: {}, settings: {}, service: null, copy: null };
const fileBytesMax = 1024 * 1024;

export interface InstallRecord {
  done(): Done;
  /** Takes the file away when nothing is left to undo. */
  note(changes: Partial<Done>): void;
}

/** Throws file system errors, and an error where the file is damaged. */
export function openRecord(home: string): InstallRecord {
  const path = join(home, 'install.json');
  let done = readDone(path);
  return {
    done: () => done,
    note(changes) {
      done = { ...done, ...changes };
      if (isNothing(done)) return rmSync(path, { force: true });
      mkdirSync(home, { recursive: true, mode: 0o700 });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify(done)}\n`, { mode: 0o600 });
      renameSync(draft, path);
    },
  };
}

function readDone(path: string): Done {
  let text: string;
  try {
    text = readRegularFile(path, { bytesMax: fileBytesMax });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return nothing;
    throw error;
  }
  const value = parsed(text);
  if (!Value.Check(Done, value))
    throw new Error(`${path} is damaged: it does not tell what was installed.`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isNothing({ extensions, settings, service, copy }: Done): boolean {
  const keys = [...Object.keys(extensions), ...Object.keys(settings)];
  return keys.length === 0 && service === null && copy === null;
}
