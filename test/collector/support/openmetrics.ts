/** A small, strict parser of samples as OpenMetrics 1.0 and Prometheus' text format have them. */
interface Sample {
  readonly series: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: string;
  readonly at: string;
}

/** Throws for bytes that are no UTF-8, and for a line that is no sample. */
export function samplesIn(bytes: Buffer): Sample[] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const lines = text.slice(0, -1).split('\n');
  return lines.filter((line) => !/^# (HELP|TYPE|EOF)/.test(line)).map(sampleOf);
}

function sampleOf(line: string): Sample {
  const sample = /^(([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\]|\\[\\"n])*",?)*)\})?) (\S+)(?: (\d+))?$/s;
  const [, series = '', name = '', all = '', value = '', at = ''] = sample.exec(line) ?? [];
  if (name === '') throw new Error(`no sample: ${JSON.stringify(line)}`);
  const labels = [...all.matchAll(/([a-z_]+)="((?:[^"\\]|\\[\\"n])*)"/gs)].map(
    ([, label = '', text = '']) => [label, unescaped(text)] as const,
  );
  return { series, name, labels: Object.fromEntries(labels), value, at };
}

function unescaped(text: string): string {
  return text.replace(/\\([\\"n])/g, (_, character) => (character === 'n' ? '\n' : character));
}
