/** Alerts on the way that telemetry takes. */
import type { AlertRule } from './rule.ts';

export const pathAlerts: readonly AlertRule[] = [
  {
    name: 'OtelCollectorDown',
    severity: 'critical',
    expr: 'up{job="otel-collector"} == 0',
    forMinutes: 5,
    summary: 'Prometheus does not reach the OpenTelemetry Collector',
    description:
      'Nothing new is seen. The ledger goes on; what it could not send it sends when the way is ' +
      'open again.',
  },
];
