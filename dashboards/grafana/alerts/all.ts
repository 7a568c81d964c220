/** All alerts, and the files made of them. */
import type { Made } from '../files.ts';
import { agentAlerts } from './agents.ts';
import { budgetAlerts } from './budgets.ts';
import { grafanaFile } from './grafana-file.ts';
import { healthAlerts } from './health.ts';
import { pathAlerts } from './path.ts';
import { prometheusFile } from './prometheus-file.ts';
import type { AlertRule } from './rule.ts';

export const alerts: readonly AlertRule[] = [
  ...healthAlerts,
  ...pathAlerts,
  ...agentAlerts,
  ...budgetAlerts,
];

export function madeAlertFiles(): readonly Made[] {
  return [
    { path: 'deploy/observability/rules.yml', text: prometheusFile(alerts) },
    {
      path: 'deploy/observability/grafana/alerting/pi-ledger.yaml',
      text: grafanaFile(alerts),
    },
  ];
}
