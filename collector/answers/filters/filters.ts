/**
 * The filters of queries. A filter matches any of its values; the empty value matches what is
 * unknown.
 */
type Values = readonly string[];

export interface Filters {
  readonly project?: Values;
  readonly branch?: Values;
  readonly user?: Values;
  readonly machine?: Values;
  readonly host?: Values;
  readonly provider?: Values;
  readonly model?: Values;
  readonly kind?: Values;
}

/**
 * Local days of the spender (`2026-11-22`, `until` inclusive), or instants rounded down to the hour
 * (`until` exclusive).
 */
export interface Period {
  readonly since?: string;
  readonly until?: string;
}

export interface UsageFilters extends Filters {
  readonly session?: Values;
  readonly agentKind?: Values;
  readonly agent?: Values;
  readonly thinking?: Values;
  readonly costSource?: Values;
  readonly stopReason?: Values;
  /** `ticket=ABC-12`; of one key any, of several keys each. `ticket=`: without the label. */
  readonly label?: Values;
}
