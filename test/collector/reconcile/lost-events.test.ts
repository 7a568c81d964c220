/** Events that are gone from the log: its positions tell of them, if nothing else does. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { compared, explained, fault, told } from './support/compared.ts';
import {
  aLedger,
  at,
  event,
  header,
  type Ledger,
  line,
  live,
  writeFile,
} from './support/two-sides.ts';

type Json = Record<string, unknown>;

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'lost-'));
});

const one = { id: 'a1', second: 1 };
const two = { id: 'a2', second: 2, input: 20 };
const three = { id: 'a3', second: 3, input: 30 };

/** The ledger after so many events before this position are gone. */
function without(lost: number, before: number, ledger: Ledger): Ledger {
  const later = (row: { readonly position: number }) =>
    row.position < before ? row : { ...row, position: row.position + lost };
  return {
    ...ledger,
    ask: async (path) => {
      const said = (await ledger.ask(path)) as { rows: { position: number }[] };
      return path.startsWith('/v1/log') ? { ...said, rows: said.rows.map(later) } : said;
    },
  };
}

const liveOnly: readonly Json[] = [live('s', one), live('s', two)];

describe('events that are gone from the log', () => {
  it('are a fault, with their number and the first place', async () => {
    const ledger = without(3, 2, aLedger({ events: liveOnly }));
    const { isExplained, overall } = await compared(root, ledger);
    expect(isExplained).toBe(false);
    expect(overall).toEqual([{ reason: 'events_lost', explained: false, count: 3, position: 2 }]);
  });

  it('are one also beside what is explained', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two), '{"ty'], '');
    const events = [event('s', one), event('s', two), live('x', three)];
    expect(await told(root, without(1, 1, aLedger({ events })))).toEqual(
      fault('s unreadable_line x1', 'x live_only_session x1', 'events_lost x1'),
    );
  });

  it('are none of their own where another fault may be why', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    const ledger = without(1, 2, aLedger({ events: [event('s', one), live('x', three)] }));
    expect(await told(root, ledger)).toEqual(
      fault('s missing_in_log x1', 'x live_only_session x1'),
    );
  });

  it('are none where history was deleted, or events of others are not shown', async () => {
    const lacking = (floor: string | null) =>
      without(1, 2, aLedger({ floor, events: liveOnly, startedAt: { s: at(0) } }));
    const known = explained('s live_only_session x2');
    expect(await told(root, lacking(at(0)))).toEqual(known);
    expect(await told(root, lacking(null), { readsOnlyOwn: () => true })).toEqual(known);
    expect(await told(root, aLedger({ events: liveOnly }))).toEqual(known);
  });
});
