/**
 * Text of the conversation in an event. Sent only if enabled on the producer's machine
 * (`auditContent` in config.json), and never unchanged: secrets, e-mail addresses and home
 * directories are removed first.
 */
import { type Static, Type } from 'typebox';
import { Count } from './fields.ts';

/**
 * Limit of one text in UTF-16 code units, after redaction: as JSON at most 96 KiB of an event's
 * 256.
 */
const contentCharsMax = 16_384;

export const Content = Type.Object({
  text: Type.String({ maxLength: contentCharsMax }),
  /** The original was longer. */
  truncated: Type.Boolean(),
  /** How many parts of this text were removed. */
  redactions: Count,
});
export type Content = Static<typeof Content>;

export const exampleContent: Content = {
  text: '## Goal\nDeploy with the token [redacted]',
  truncated: false,
  redactions: 1,
};
