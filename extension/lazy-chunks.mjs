/**
 * Splits the bundle into what an agent loads at its start and what comes when it is first needed.
 *
 * Sources import each other as usual. In the bundle, the modules of a lazy chunk are evaluated, at
 * once and synchronously, when one of their functions is first called; `start.cjs` has the modules
 * that the entry reaches without `import()` and that no lazy chunk names.
 *
 * The text of a lazy chunk is read, and only read, with the start: an update that replaces the files
 * while a session waits for its first prompt takes nothing away from it, and code of two versions
 * never meets. Without all of them the extension is not loaded, and says so.
 */
const startName = 'start';

/**
 * `chunks`: of each, its files (without their ending) and folders. What `entry` imports statically
 * and no chunk names is loaded at the start.
 */
export function splitLazily(chunks, entry) {
  const names = Object.keys(chunks);
  let reached = null;
  const chunkOf = (id, graph) => {
    reached ??= staticallyReached(entry, graph);
    if (id === entry || !reached.has(id)) return null;
    return names.find((name) => chunks[name].some((place) => isAt(id, place))) ?? startName;
  };
  return {
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'lazy', name: chunkOf }],
    },
    plugin: {
      name: 'lazy-chunks',
      buildEnd() {
        const modules = [...this.getModuleIds()];
        const gone = Object.values(chunks)
          .flat()
          .filter((place) => !modules.some((id) => isAt(id, place)));
        if (gone.length > 0) this.error(`lazy chunks name what no module is: ${gone.join(', ')}`);
      },
      renderChunk: (code, { fileName }) => withLazyCalls(code, fileName, names),
    },
  };
}

function isAt(id, place) {
  const path = id.replaceAll('\\', '/');
  return path.endsWith(`/${place}.ts`) || path.includes(`/${place}/`);
}

function staticallyReached(entry, graph) {
  const reached = new Set([entry]);
  for (const id of reached)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  return reached;
}

function withLazyCalls(code, fileName, names) {
  const isStart = fileName === `${startName}.cjs`;
  const store = isStart ? 'lazyChunks' : `require("./${startName}.cjs").lazyChunks`;
  let changed = isStart ? `${storeText(names)}\n${code}` : code;
  for (const name of names) {
    const variable = `require_${name.replaceAll('-', '_')}`;
    const declaration = `const ${variable} = require("./${name}.cjs");`;
    if (!changed.includes(declaration)) continue;
    changed = changed
      .replace(declaration, `const ${variable} = ${store}[${JSON.stringify(name)}];`)
      .replace(new RegExp(`\\b${variable}\\.`, 'g'), `${variable}().`);
  }
  return changed;
}

function storeText(names) {
  return (
    `const lazyChunks = (${createLazyChunks})(${JSON.stringify(names)}, ` +
    '{ require, directory: __dirname, start: exports });\nexports.lazyChunks = lazyChunks;'
  );
}

/** Runs in the bundle: a function for each chunk, which loads it once and returns its exports. */
function createLazyChunks(names, { require, directory, start }) {
  const { readFileSync } = require('node:fs');
  const { join } = require('node:path');
  const { runInThisContext } = require('node:vm');
  const requireFrom = (name) => (name === './start.cjs' ? start : require(name));
  const chunks = {};
  for (const name of names) {
    const filename = join(directory, `${name}.cjs`);
    let text = readFileSync(filename);
    const loaded = {};
    chunks[name] = () => {
      if (text === null) return loaded;
      const code = `(function(exports,require){${text}\n})`;
      text = null;
      runInThisContext(code, { filename })(loaded, requireFrom);
      return loaded;
    };
  }
  return chunks;
}

/** Settings without what only documentation says of them. */
export function withoutProse() {
  const prose = new Set(['meaning', 'zero', 'unit', 'defaultText']);
  return {
    name: 'without-prose',
    transform(code, id) {
      if (!/contract[\\/]settings[\\/](?:spend-)?settings\.ts$/.test(id)) return null;
      const said = [];
      const look = (node) => {
        if (node?.type === 'Property' && prose.has(node.key.name)) said.push(node);
        else if (typeof node === 'object' && node !== null) Object.values(node).forEach(look);
      };
      look(this.parse(code, { lang: 'ts' }).body);
      const kept = said.reverse().reduce((rest, { start, end }) => {
        const after = rest.slice(end);
        return rest.slice(0, start) + after.replace(/^\s*,/, '');
      }, code);
      return { code: kept, map: null };
    },
  };
}
