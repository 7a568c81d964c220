/** Series without what says which way they came: comparable across ways. */
import type { Labels } from '../../services/prometheus/prometheus.ts';

export function labelText(labels: Labels): string {
  const own = Object.entries(labels).filter(([label]) => !isOfTheWay(label));
  const sorted = own.sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(sorted.map(([label, value]) => [label, plain(label, value)]));
}

function isOfTheWay(label: string): boolean {
  return ['__name__', 'job', 'instance'].includes(label) || label.startsWith('otel_scope_');
}

/** `le` is `1` here and `1.0` there. */
function plain(label: string, value: string): string {
  return label === 'le' && value !== '+Inf' ? String(Number(value)) : value;
}
