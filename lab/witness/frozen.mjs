/**
 * Loaded before the command line (`NODE_OPTIONS=--import=...`): the clock stands still, so that two
 * trees answer at the same moment; with WITNESS_COLUMNS the output is a terminal of this width.
 */
const { WITNESS_NOW: now, WITNESS_COLUMNS: columns } = process.env;

const RunningDate = Date;
globalThis.Date = class extends RunningDate {
  constructor(...given) {
    super(...(given.length === 0 ? [Number(now)] : given));
  }

  static now() {
    return Number(now);
  }
};

if (columns !== undefined) {
  process.stdout.isTTY = true;
  process.stdout.columns = Number(columns);
}
