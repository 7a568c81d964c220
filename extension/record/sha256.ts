/** SHA-256 as 64 hex digits. At once where the platform can (Node 20.12 and newer, Bun): a hash object costs five times as much. */
import * as crypto from 'node:crypto';

export function sha256Hex(text: string): string {
  return hashAtOnce === undefined ? crypto.createHash('sha256').update(text).digest('hex') : hashAtOnce('sha256', text, 'hex');
}

const hashAtOnce: typeof crypto.hash | undefined = crypto.hash;
