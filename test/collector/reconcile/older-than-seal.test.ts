/** What is older than the seal and came after it is in no total, and a fault. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { explained, fault, told } from './support/compared.ts';
import {
  aLedger,
  anEvent,
  at,
  event,
  header,
  type LedgerOptions,
  line,
  spendOf,
  writeFile,
} from './support/two-sides.ts';

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'older-'));
});

const floor = at(30);
const one = { id: 'o1', second: 1 };
const two = { id: 'o2', second: 2, input: 20 };
const young = { id: 'y1', second: 31, input: 30 };
const toldOf = (options: LedgerOptions) => told(root, aLedger({ floor, ...options }));

describe('a session of before the floor', () => {
  it('that the totals do not have is a fault', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    expect(await toldOf({})).toEqual(fault('s older_than_seal x2'));
  });

  it('that came after the seal is a fault without a file, and once with it', async () => {
    const more = { lateSessions: [{ session: 's', events: 3 }] };
    expect(await told(root, aLedger({ floor }), more)).toEqual(fault('s older_than_seal x3'));
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    expect(await told(root, aLedger({ floor }), more)).toEqual(fault('s older_than_seal x2'));
  });

  it('that the totals have in part is a fault by the rest', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    expect(await toldOf({ deleted: [event('s', one)] })).toEqual(
      fault('s sealed x2', 's older_than_seal x1'),
    );
  });

  it('that goes on after it is a fault by what came before', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(young)]);
    const events = [event('s', young)];
    expect(await toldOf({ events })).toEqual(fault('s older_than_seal x1'));
    expect(await toldOf({ events, deleted: [event('s', one)] })).toEqual(explained('s sealed x2'));
  });

  it.each([{ outputTokens: 9 }, { inputTokens: 9 }, { costNanoUsd: 999 }, { costNanoUsd: 2e6 }])(
    'of which the totals have as many records, and other figures, is a fault: %o',
    async (spend) => {
      writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
      expect(await toldOf({ deleted: [event('s', one, {}, spend)] })).toEqual(
        fault('s sealed x1', 's sealed_differs x1'),
      );
    },
  );

  it('may lack lines that the totals have', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    const deleted = [event('s', one), event('s', two)];
    expect(await toldOf({ deleted })).toEqual(explained('s sealed x2'));
  });

  it('that the totals have under a copy of it is there', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    writeFile(root, 'fork.jsonl', [header('fork', 5, 's'), line(one)]);
    const deleted = [event('fork', one)];
    expect(await toldOf({ deleted })).toEqual(
      fault('fork copied x1', 'fork sealed x1', 's older_than_seal x1', 's sealed x1'),
    );
    expect(await toldOf({ deleted: [...deleted, event('s', two)] })).toMatchObject({
      isExplained: true,
    });
  });

  it('is not excused by what else an ancestor without a file has', async () => {
    const own = { id: 'f1', second: 6 };
    writeFile(root, 'fork.jsonl', [header('fork', 5, 'gone'), line(one), line(own)]);
    const deleted = [event('gone', one), event('gone', two), event('gone', young)];
    const { isExplained, told: lines } = await toldOf({ deleted });
    expect(isExplained).toBe(false);
    expect(lines).toContain('fork older_than_seal x1');
    expect(await toldOf({ deleted: [...deleted, event('fork', own)] })).toMatchObject({
      isExplained: true,
    });
  });

  it('of a project that is ignored is in no view', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    const ledger = aLedger({ floor, deleted: [event('s', one)], ignored: ['s'] });
    expect(await told(root, ledger, { ignoresProjects: true })).toEqual(
      explained('s ignored_project x1'),
    );
  });
});

describe('a subagent of before the floor', () => {
  const child = { id: 'k1', second: 2 };
  const claim = anEvent('pi.subagent.claimed.v1', 'parent', 3, {
    entryId: 'c1',
    key: 'agent:A',
    claimed: spendOf(child),
  });

  beforeEach(() => {
    const details = { results: [{ id: 'A', index: 0, usage: spendOf(child).rawUsage }] };
    const result = { role: 'toolResult', usage: undefined, details };
    writeFile(root, 'parent.jsonl', [
      header('parent', 0),
      line(one),
      line({ id: 'c1', second: 3 }, result),
    ]);
    writeFile(root, 'parent/A.jsonl', [header('child', 2), line(child)]);
  });

  it('is in the totals where its claim is', async () => {
    const { isExplained, told: lines } = await toldOf({ deleted: [event('parent', one), claim] });
    expect(lines).toContain('child subagent_claim x1');
    expect(isExplained).toBe(true);
  });

  it('is in none where its claim is not', async () => {
    const { told: lines } = await toldOf({ deleted: [event('parent', one)] });
    expect(lines).toContain('child older_than_seal x1');
  });

  it('is in none as far as it spent more, or other, than is claimed', async () => {
    writeFile(root, 'parent/A.jsonl', [
      header('child', 2),
      line(child),
      line({ id: 'k2', second: 3 }),
    ]);
    const { told: lines } = await toldOf({ deleted: [event('parent', one), claim] });
    expect(lines).toContain('child older_than_seal x2');
  });
});
