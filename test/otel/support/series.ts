/** Series without what says which way they came: comparable across ways. */
import type { Labels, Sample } from '../../services/prometheus/prometheus.ts';

/** One line for each sample, sorted. */
export function linesOf(samples: readonly Sample[]): readonly string[] {
  return samples
    .map(({ labels, value }) => `${labels.__name__ ?? ''} ${labelText(labels)} ${value}`)
    .sort();
}

export function labelText(labels: Labels): string {
  const own = Object.entries(labels).filter(([label]) => !isOfTheWay(label));
  const sorted = own.sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(sorted.map(([label, value]) => [label, plain(label, value)]));
}

function isOfTheWay(label: string): boolean {
  return (
    ['__name__', 'job', 'instance', 'exported_job', 'exported_instance'].includes(label) ||
    label.startsWith('otel_scope_')
  );
}

/** `le` is `1` here and `1.0` there. */
function plain(label: string, value: string): string {
  return label === 'le' && value !== '+Inf' ? String(Number(value)) : value;
}
