/**
 * Text of the conversation in an event. It travels only where the producer's machine was told to
 * (`auditContent` in config.json), and never as it was: secrets, e-mail addresses and home
 * directories are taken out of it first.
 */
import { type Static, Type } from 'typebox';
import { Count } from './fields.ts';

/** Of one text, in UTF-16 code units, after redaction: as JSON at most 96 KiB of an event's 256. */
const contentCharsMax = 16_384;

export const Content = Type.Object({
  text: Type.String({ maxLength: contentCharsMax }),
  /** There was more of it. */
  truncated: Type.Boolean(),
  /** How many places were taken out of what is here. */
  redactions: Count,
});
export type Content = Static<typeof Content>;

export const exampleContent: Content = {
  text: '## Goal\nDeploy with the token [redacted]',
  truncated: false,
  redactions: 1,
};
