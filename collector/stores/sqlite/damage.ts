/** Recognises errors of damaged SQLite files and names the file and the remedy in them. */
import { LedgerError } from '../../errors.ts';

const corrupt = 11;
const noDatabase = 26;

/** True for SQLite's primary codes SQLITE_CORRUPT and SQLITE_NOTADB. */
export function isDamage(error: unknown): boolean {
  const code = (error as { readonly errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' && ((code & 0xff) === corrupt || (code & 0xff) === noDatabase);
}

/** Returns any other error as it is. */
export function namingFile(error: unknown, path: string): unknown {
  if (!isDamage(error)) return error;
  const message =
    `${path} is damaged (${(error as Error).message}). Stop all programs that use it and copy it ` +
    'with its -wal file. Run `pi-ledger doctor --deep` to see what can be read. Then restore a ' +
    'backup, or rebuild the views if all events are intact.';
  return new LedgerError('store_damaged', { message, cause: error });
}

/** The same object; errors from its methods name the file. */
export function withNamedFile<Part extends object>(part: Part, path: string): Part {
  return new Proxy(part, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value === 'function')
        return (...args: unknown[]) => named(() => Reflect.apply(value, target, args), path);
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? withNamedFile(value, path)
        : value;
    },
  });
}

function named(call: () => unknown, path: string): unknown {
  try {
    const result = call();
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw namingFile(error, path);
    });
  } catch (error) {
    throw namingFile(error, path);
  }
}
