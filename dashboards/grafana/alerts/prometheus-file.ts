/** Alerts as a rule file of Prometheus, for `rule_files`. */
import { stringify } from 'yaml';
import type { AlertRule } from './rule.ts';

export function prometheusFile(alerts: readonly AlertRule[]): string {
  const rules = alerts.map((alert) => ({
    alert: `PiLedger${alert.name}`,
    expr: alert.expr,
    for: `${alert.forMinutes}m`,
    labels: { severity: alert.severity },
    annotations: { summary: template(alert.summary), description: alert.description },
  }));
  return `# Written by \`npm run dashboards\`.\n${stringify(
    { groups: [{ name: 'pi-ledger', rules }] },
    { lineWidth: 0 },
  )}`;
}

function template(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'value' ? '{{ printf "%.6g" $value }}' : `{{ $labels.${name} }}`,
  );
}
