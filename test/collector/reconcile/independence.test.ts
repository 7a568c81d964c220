import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const directory = fileURLToPath(new URL('../../../collector/reconcile', import.meta.url));

describe('reconcile', () => {
  it("shares nothing with the importers, the recorders, the log's or the views' code", () => {
    const imports = readdirSync(directory).flatMap((file) => {
      const text = readFileSync(`${directory}/${file}`, 'utf8');
      return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name);
    });
    const foreign = new Set(imports.filter((name) => !/^(\.\/|node:)/.test(name ?? '')));
    expect([...foreign]).toEqual([]);
  });
});
