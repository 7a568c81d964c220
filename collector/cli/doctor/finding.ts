/** The result of one check. `bad` makes the exit code 1; `note` is information, not a fault. */
export interface DoctorFinding {
  readonly check: string;
  readonly state: 'good' | 'note' | 'bad';
  readonly detail: string;
}
