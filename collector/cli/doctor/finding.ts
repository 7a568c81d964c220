/**
 * What one check of the doctor found. `bad` makes the exit code 1; `note` is worth knowing and no
 * fault.
 */
export interface Finding {
  readonly check: string;
  readonly state: 'good' | 'note' | 'bad';
  readonly detail: string;
}
