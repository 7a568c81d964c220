/** Takes out of a text what differs between two runs of the same tree, and nothing else. */
import { join, resolve } from 'node:path';
import type { Subject } from './tree.ts';

/** Where the recorder has its data, whichever tree is asked. */
const own = import.meta.dirname;
const test = join(resolve(own, '..', '..'), 'test');

/** `storeId`: the id that the ledger drew for itself, where it is known. */
export function plain(
  text: string,
  { home, tree, store, port }: Subject,
  storeId: string | null = null,
): string {
  const named: readonly (readonly [string, string])[] = [
    [test, '<test>'],
    [own, '<witness>'],
    [store, '<store>'],
    [home, '<home>'],
    [tree, '<tree>'],
    [`127.0.0.1:${port}`, '<address>'],
    [`localhost:${port}`, '<address>'],
    ...(storeId === null ? [] : [[storeId, '<store id>'] as const]),
  ];
  const replaced = named.reduce((left, [from, to]) => left.replaceAll(from, to), text);
  return (
    replaced
      .replace(/"bytes":\s*\d+/g, '"bytes": <bytes>')
      .replace(/(history\/[\d-]+\/)[\da-f]{8}-[\da-f-]{27}/g, '$1<store id>')
      // Of the log, withdrawals with their drawn ids included.
      .replace(/SHA-256 [\da-f]{64}/g, 'SHA-256 <hash>')
      .replace(/(rebuilt from [\d,]+ events) in [\d.,]+ \w+/g, '$1 in <time>')
  );
}
