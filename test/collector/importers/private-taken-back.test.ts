/** What was recorded of a subagent before the file came that says it is private. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi/importer.ts';
import type { ScanOptions } from '../../../collector/importers/scan.ts';
import { answer, append } from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeSession } from './support/files.ts';
import { createImports, type Imports, memoryProgress } from './support/imports.ts';
import { at, childAt, parentWith, placeBelow } from './support/private-family.ts';

const directory = temporaryDirectory();
const parent = parentWith({});
const place = placeBelow(parent);
let home: string;
let imports: Imports;
let withdrawn: string[];
beforeEach(() => {
  home = mkdtempSync(join(directory, 'taken-back-'));
  imports = createImports(pi, home, memoryProgress());
  withdrawn = [];
});

async function scan(refusal: string | null = null, options: Partial<ScanOptions> = {}) {
  const { issues, lostCount } = await imports.scan({
    withdrawSession: async (sessionId) => {
      withdrawn.push(sessionId);
      return refusal === null ? null : { why: refusal, isDoubt: false };
    },
    ...options,
  });
  expect(lostCount).toBe(0);
  return issues.map(({ message }) => message);
}

describe('a subagent that was recorded before its paused parent was read', () => {
  beforeEach(async () => {
    writeSession(home, childAt(12), place);
    writeSession(home, childAt(5, 'before'), placeBelow(parent, 'before'));
    await scan();
    writeSession(home, parent);
  });

  it('is taken back once, whoever imports', async () => {
    const said = await scan(null, { isBackground: true });
    expect(said).toEqual([expect.stringContaining('session child is taken back')]);
    expect(await scan()).toEqual([]);
    writeSession(home, childAt(2, 'other'));
    expect(await scan()).toEqual([]);
    expect(withdrawn).toEqual(['child']);
  });

  it('is tried again by every import that a person asks for, until it works', async () => {
    const why = expect.stringContaining('and still in the totals: no token');
    expect(await scan('no token')).toEqual([why]);
    const child = childAt(12);
    append(child, 'more', at(14), answer('more'));
    writeSession(home, child, place);
    expect(await scan('no token')).toEqual([why]);
    expect(await scan('no token', { isBackground: true })).toEqual([]);
    expect(await scan()).toEqual([expect.stringContaining('is taken back')]);
    expect(await scan()).toEqual([]);
    expect(withdrawn).toEqual(['child', 'child', 'child']);
  });

  it('is taken back when its file is gone, and private if it comes again', async () => {
    rmSync(join(home, place));
    await scan();
    const before = imports.events.size;
    writeSession(home, childAt(12), 'elsewhere.jsonl');
    expect(await scan()).toEqual([]);
    expect(withdrawn).toEqual(['child']);
    expect(imports.events.size).toBe(before);
  });
});

it('of which nothing was recorded, nothing is taken back', async () => {
  writeSession(home, childAt(12), place);
  writeSession(home, parent);
  await scan();
  expect(withdrawn).toEqual([]);
});
