import { type Static, Type } from 'typebox';

/**
 * How certain it is that an entry belongs to the subject, unless the subject's own file or process
 * says so:
 * - `unsure`: the session's own file contains it, but is a fork: created when the clock had been
 *   set back, it may contain copies that look like its own;
 * - `named`: a copy's headers name the subject, which is not younger than the entry;
 * - `assumed`: an ancestor is missing, and the subject is the oldest one still known.
 */
export const Ownership = Type.Union([
  Type.Literal('unsure'),
  Type.Literal('named'),
  Type.Literal('assumed'),
]);
export type Ownership = Static<typeof Ownership>;
