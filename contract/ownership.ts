import { type Static, Type } from 'typebox';

/**
 * How certain it is that an entry is the subject's, where the subject's own file or process does
 * not say so itself:
 *
 * - `unsure`: the session's own file has it, and is a fork of another one: made when the clock had
 *   been set back, it may hold copies that look like its own;
 * - `named`: a copy's headers name the subject, and it is not younger than the entry;
 * - `assumed`: an ancestor is gone, and the subject is the oldest one still known.
 */
export const Ownership = Type.Union([
  Type.Literal('unsure'),
  Type.Literal('named'),
  Type.Literal('assumed'),
]);
export type Ownership = Static<typeof Ownership>;
