/**
 * The secrets that secretlint's recommended rules know: keys and tokens of some two dozen services,
 * private keys, connection strings.
 *
 * The rules are run by hand because secretlint's own core answers with a promise only, and an entry
 * is recorded in one go. The one that heeds comments (`secretlint-disable`) is left out: a text
 * must not decide what is taken out of it.
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

/** What rules are given and give back, as far as it matters here. */
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

/** Named as a text: rules for binary key files look at the name, and would read the file. */
const source = { filePath: 'summary.txt', ext: '.txt', contentType: 'text', hasBOM: false };
