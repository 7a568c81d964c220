/** Alerts as Grafana provisions them, asked of the profile's Prometheus. */
import type { Rule } from '@grafana/grafana-foundation-sdk/alerting';
import { stringify } from 'yaml';
import type { AlertRule } from './rule.ts';

/** As in deploy/observability/grafana/datasources/. */
const prometheusUid = 'pi-ledger-prometheus';

export function grafanaFile(alerts: readonly AlertRule[]): string {
  const group = {
    orgId: 1,
    name: 'pi-ledger',
    folder: 'pi-ledger',
    interval: '1m',
    rules: alerts.map(ruleOf),
  };
  const file = { apiVersion: 1, groups: [group] };
  const text = stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
  return `# Written by \`npm run dashboards\`.\n${text}`;
}

/** The file says once for all rules where they belong. */
type ProvisionedRule = Omit<Rule, 'data' | 'folderUID' | 'orgID' | 'ruleGroup'> & {
  readonly data: readonly unknown[];
};

function ruleOf(alert: AlertRule): ProvisionedRule {
  return {
    uid: `pi-ledger${alert.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    title: `PiLedger${alert.name}`,
    condition: 'any',
    data: [asked(alert.expr), any],
    // No series: nothing is wrong.
    noDataState: 'OK',
    execErrState: 'Error',
    for: `${alert.forMinutes}m`,
    labels: { severity: alert.severity },
    annotations: { summary: template(alert.summary), description: alert.description },
  };
}

function asked(expr: string): unknown {
  return {
    refId: 'wrong',
    relativeTimeRange: { from: 600, to: 0 },
    datasourceUid: prometheusUid,
    model: { refId: 'wrong', expr, instant: true, range: false },
  };
}

/** A series is wrong whatever its value, which is never negative. */
const any = {
  refId: 'any',
  relativeTimeRange: { from: 0, to: 0 },
  datasourceUid: '__expr__',
  model: {
    refId: 'any',
    type: 'threshold',
    expression: 'wrong',
    conditions: [{ evaluator: { type: 'gt', params: [-1] } }],
  },
};

function template(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'value' ? '{{ printf "%.6g" $values.wrong.Value }}' : `{{ $labels.${name} }}`,
  );
}
