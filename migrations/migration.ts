/** A step from one schema of a store to the next. README.md says how to write one. */

/**
 * Contract: `name` is `NNNN-what-it-does`, the name of its file. Numbers increase, and neither name
 * nor behaviour changes after a release. `up` may be run again after being killed half way, with
 * the same result; newer code may already have written, but only to fields that it does not touch.
 * There is no down migration.
 */
export interface Migration<Target> {
  readonly name: string;
  up(target: Target): void | Promise<void>;
}
