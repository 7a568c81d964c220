/**
 * Prepares a text of the conversation for sending: without secrets, e-mail addresses and home
 * directories, and truncated to the contract's length.
 *
 * Guarantees: the same text gives the same content; truncation comes after redaction, so that no
 * half of a secret remains at the cut. Does not: find a secret that looks like an ordinary word, or
 * preserve every harmless text.
 *
 * Loaded separately with its rules, only if `auditContent` is set: see contents.ts.
 */
import type { Content } from '@pi-ledger/contract';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { merged, type SecretFinding } from './findings.ts';
import { createPatterns } from './patterns.ts';

export type Redact = (text: string) => Content;

/** The contract's limit; the contract is imported as types only, and a test keeps them equal. */
export const contentCharsMax = 16_384;

/**
 * The part that is scanned: 64 Ki take some ms. Its end is not kept, because a secret could be cut
 * there; none is this long.
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
function written(usable: string, places: readonly SecretFinding[], textChars: number): Content {
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

/** Without half a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}

// Secrets that secretlint's recommended rules recognise: keys and tokens of some two dozen
// services, private keys, connection strings.
// The rules run without secretlint's core, which is asynchronous, while an entry is recorded
// synchronously. The rule that honours comments (`secretlint-disable`) is left out: a text must not
// decide about its own redaction.

export function secretsIn(text: string): readonly SecretFinding[] {
  const findings: SecretFinding[] = [];
  const report = ({ range: [start, end] }: Report) =>
    void findings.push({ start, end, placeholder: '[redacted]' });
  for (const rule of scanners)
    rule.create({ ...context, report }, {}).file?.({ ...source, content: text });
  return findings;
}

/** The parts of secretlint's rule interface used here. */
interface Scanner {
  readonly meta: { readonly id: string };
  create(context: object, options: object): { file?(source: object): unknown };
}

interface Report {
  readonly range: readonly [number, number];
}

const scanners = (rules as unknown as readonly Scanner[]).filter(
  ({ meta }) => !meta.id.endsWith('filter-comments'),
);

const nothing = () => undefined;
const context = {
  sharedOptions: {},
  ignore: nothing,
  createTranslator: () => (messageId: string) => ({ messageId, message: messageId }),
};

/** Named like a text file: rules for binary key files check the name, and would read the file. */
const source = { filePath: 'summary.txt', ext: '.txt', contentType: 'text', hasBOM: false };
