/** The session format of pi and oh-my-pi: one file of JSON lines for each session. */
import type { SourceFormat } from '../readers/reader.ts';
import { findSessionFiles } from './session-files.ts';
import { unitsIn } from './units-in-file.ts';

export const sessionFormat: SourceFormat = {
  marksPrivacy: true,
  find: findSessionFiles,
  unitsIn,
};
