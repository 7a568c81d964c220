/** What an attribution says about spend with one provider. */
export interface Labels {
  readonly project: string;
  readonly branch: string;
  readonly user: string;
  readonly machine: string;
  readonly host: string;
  readonly billing: string;
  readonly agentKind: string;
  readonly agent: string;
  /** Canonical JSON; empty without any. */
  readonly labels: string;
  /** The commit checked out; empty when unknown. */
  readonly head: string;
  readonly utcOffsetMinutes: number;
  /** Spend of an ignored project is in no rollup. */
  readonly isIgnored: boolean;
}

export function sameLabels(left: Labels, right: Labels): boolean {
  return (
    left.project === right.project &&
    left.branch === right.branch &&
    left.user === right.user &&
    left.machine === right.machine &&
    left.host === right.host &&
    left.billing === right.billing &&
    left.agentKind === right.agentKind &&
    left.agent === right.agent &&
    left.labels === right.labels &&
    left.head === right.head &&
    left.utcOffsetMinutes === right.utcOffsetMinutes &&
    left.isIgnored === right.isIgnored
  );
}
