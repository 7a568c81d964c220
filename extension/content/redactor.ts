/**
 * A text of the conversation as it may travel: without secrets, e-mail addresses and home
 * directories, and cut to the contract's length.
 *
 * Guarantees: the same text gives the same content; it is cut after redaction, so that half a
 * secret at the cut does not stay. Does not: find a secret that looks like an ordinary word, or
 * leave each harmless text as it was.
 *
 * It and its rules are loaded on their own, and only where `auditContent` is set: see contents.ts.
 */
import type { Content } from '@pi-ledger/contract';
import { type Finding, merged } from './findings.ts';
import { createPatterns } from './patterns.ts';
import { secretsIn } from './secret-rules.ts';

export type Redact = (text: string) => Content;

/** The contract's limit, which is imported as types only; a test holds them equal. */
export const contentCharsMax = 16_384;

/**
 * What is looked at: 64 Ki take some ms. Of its end nothing is kept, because a secret may begin
 * there and be cut: none is that long.
 */
const scannedCharsMax = 65_536;
const secretCharsMax = 16_384;

export function createRedactor(options: { readonly homeDirectory: string }): Redact {
  const patternsIn = createPatterns(options.homeDirectory);
  return (text) => {
    const scanned = text.slice(0, scannedCharsMax);
    const places = merged([...secretsIn(scanned), ...patternsIn(scanned)]);
    return written(
      scanned.length < text.length ? scanned.slice(0, -secretCharsMax) : scanned,
      places,
      text.length,
    );
  };
}

/** `usable`: the part of the text that may be kept. */
function written(usable: string, places: readonly Finding[], textChars: number): Content {
  let text = '';
  let at = 0;
  let redactions = 0;
  for (const { start, end, placeholder } of places) {
    const plain = usable.slice(at, start);
    if (start >= usable.length || text.length + plain.length + placeholder.length > contentCharsMax)
      break;
    text += plain + placeholder;
    redactions += 1;
    at = end;
  }
  const next = places[redactions]?.start ?? usable.length;
  const rest = wholeCharacters(usable.slice(at, next).slice(0, contentCharsMax - text.length));
  return { text: text + rest, truncated: at + rest.length < textChars, redactions };
}

/** Without half of a surrogate pair at its end. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
