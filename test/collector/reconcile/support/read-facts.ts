/** What session files of pi and oh-my-pi say, in these directories. */
import { type FileFacts, readFileFacts } from '../../../../collector/reconcile/files/file-facts.ts';
import { sessionFormat } from '../../../../collector/reconcile/files/session-format.ts';
import type { FormatSearch } from '../../../../collector/reconcile/readers/reader.ts';

type Period = Parameters<typeof readFileFacts>[1];

export function readFacts(directories: readonly string[], period?: Period): FileFacts {
  return readFileFacts(searchesIn(...directories), period);
}

/** The same, for all of reconcile. */
export function searchesIn(...directories: readonly string[]): readonly FormatSearch[] {
  return [{ format: sessionFormat, directories }];
}
