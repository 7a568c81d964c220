/**
 * Secrets that secretlint's recommended rules recognise: keys and tokens of some two dozen
 * services, private keys, connection strings.
 *
 * The rules run without secretlint's core, which is asynchronous, while an entry is recorded
 * synchronously. The rule that honours comments (`secretlint-disable`) is left out: a text must not
 * decide about its own redaction.
 */
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Finding } from './findings.ts';

export function secretsIn(text: string): readonly Finding[] {
  const findings: Finding[] = [];
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
