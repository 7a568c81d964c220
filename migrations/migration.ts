/** A step from one schema of a store to the next. README.md says how to write one. */

/**
 * Contract: `name` is `NNNN-what-it-does`, its file's name; numbers grow, and neither a name nor
 * what it does changes once it was released. `up` may be run again after it was killed half way,
 * and then ends the same; it may meet what newer code writes only on fields that it does not touch.
 * There is no way down.
 */
export interface Migration<Context> {
  readonly name: string;
  up(context: Context): void | Promise<void>;
}
