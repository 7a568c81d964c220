/**
 * What hosts load: the bundle or, if it was never built (a clone without `npm install`, or with
 * `--ignore-scripts`), the sources. The sources need no package but load more slowly at each start;
 * hosts compile them as they load this file.
 *
 * It cannot throw: pi does not start with an extension that does. If neither can be loaded, it says
 * so once, and `/ledger` repeats it.
 */
const { existsSync } = require('node:fs');
const { join, sep } = require('node:path');

/**
 * Not as literals in `require`: at each start, omp parses what those name, and all that is named
 * there, which takes far longer than to load the bundle (docs/decisions/0024).
 */
const bundle = './dist/index.cjs';
const sources = './index.ts';

module.exports = load();

function load() {
  const problems = [];
  forget();
  if (existsSync(join(__dirname, bundle))) {
    try {
      return factoryIn(require(bundle));
    } catch (error) {
      problems.push(error);
    }
  }
  try {
    return factoryIn(require(sources));
  } catch (error) {
    problems.push(error);
  }
  return explain(problems[0]);
}

/** A host that loads its extensions again wants the files of today. */
function forget() {
  const folders = [__dirname, join(__dirname, '..', 'core')];
  const isOurs = (path) => folders.some((folder) => path.startsWith(folder + sep));
  for (const path of Object.keys(require.cache ?? {}))
    if (isOurs(path) && path !== __filename) delete require.cache[path];
}

function factoryIn(loaded) {
  const factory = loaded.default ?? loaded;
  if (typeof factory !== 'function') throw new Error('it exports no function');
  return factory;
}

function explain(error) {
  const reason = String(error?.message ?? error).split('\n', 1)[0];
  const isCheckout = existsSync(join(__dirname, 'build.mjs'));
  const remedy = isCheckout ? 'Run `npm install` in the folder of pi-ledger.' : 'Install it again.';
  const message = `pi-ledger records nothing: the extension in ${__dirname} cannot be loaded (${reason}). ${remedy}`;
  const say = (ctx) =>
    ctx?.hasUI ? ctx.ui.notify(message, 'warning') : void process.stderr.write(`${message}\n`);
  const topic = Symbol.for('pi-ledger.unloadable'); // a host may evaluate this file for each session
  return (pi) => {
    pi.registerCommand('ledger', {
      description: 'pi-ledger: why nothing is recorded',
      handler: (_args, ctx) => say(ctx),
    });
    pi.on('session_start', (_event, ctx) => {
      if (globalThis[topic]) return;
      globalThis[topic] = true;
      say(ctx);
    });
  };
}
