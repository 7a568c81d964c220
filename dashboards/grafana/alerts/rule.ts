/** What an alert is, whoever evaluates it: Prometheus or Grafana. */

export interface AlertRule {
  /** Unique, in upper camel case; without `PiLedger`, which comes before it. */
  readonly name: string;
  /**
   * `critical`: events are being lost, or nothing is seen any more. `info`: nothing is wrong yet.
   */
  readonly severity: 'info' | 'warning' | 'critical';
  /** PromQL with a series for each thing that is wrong, and none where nothing is. */
  readonly expr: string;
  readonly forMinutes: number;
  /**
   * One line. `{value}` is the value of the series, `{label}` that label's. No dollar sign: Grafana
   * takes `${...}` for a variable of its environment.
   */
  readonly summary: string;
  /** What it means, and what to do. */
  readonly description: string;
}
