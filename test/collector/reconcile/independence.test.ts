import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const directory = fileURLToPath(new URL('../../../collector/reconcile', import.meta.url));

describe('reconcile', () => {
  it("shares nothing with the importers, the recorders, the log's or the views' code", () => {
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const foreign = files.flatMap((file) =>
      importsOf(join(directory, file)).filter((name) => !isOwn(join(directory, file), name)),
    );
    expect(files.length).toBeGreaterThan(30);
    expect(foreign).toEqual([]);
  });
});

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name = '']) => name);
}

function isOwn(path: string, name: string): boolean {
  if (name.startsWith('node:')) return true;
  return name.startsWith('.') && join(dirname(path), name).startsWith(`${directory}/`);
}
