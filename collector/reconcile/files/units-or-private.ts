import type { SourceFormat } from '../readers/reader.ts';
import type { FileUnit } from './file-unit.ts';
import type { PrivateParts } from './private-files.ts';
import type { FileProblem, SessionFile } from './session-files.ts';

/** Nobody misses a line that cannot be read of a file that is private as a whole. */
export function* unitsOrPrivate(
  file: SessionFile,
  { unitsIn }: Pick<SourceFormat, 'unitsIn'>,
  { isWhole, isPrivate }: PrivateParts,
  complain: (problem: FileProblem) => void,
): Generator<FileUnit> {
  const isAll = isWhole(file.path);
  for (const found of unitsIn(file, isAll ? () => undefined : complain)) {
    const { entryId, timeMs } = found.unit;
    yield isAll || isPrivate(entryId, timeMs) ? { ...found, isPrivate: true } : found;
  }
}
