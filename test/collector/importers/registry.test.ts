/** What holds of every agent that is registered. */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Importer } from '../../../collector/importers/importer.ts';
import { importers } from '../../../collector/importers/registry.ts';
import type { AgentReader } from '../../../collector/reconcile/readers/reader.ts';
import { readers } from '../../../collector/reconcile/readers/registry.ts';

it.each(importers)(
  '$name is held to the contract of importers, by a suite of its own',
  (importer) => {
    const suite = new URL(`../../suites/importer.${importer.name}.test.ts`, import.meta.url);
    expect(existsSync(suite)).toBe(true);
    expect(importer.name).toMatch(/^[a-z][a-z0-9]*$/);
  },
);

it('reconcile has a reader for every importer, and they agree on the agent', () => {
  const known = ({ name, title, unpricesCopies }: Importer | AgentReader) => [
    name,
    title,
    unpricesCopies,
  ];
  expect(readers.map(known)).toEqual(importers.map(known));
});
