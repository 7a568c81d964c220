/**
 * Reconcile notices spend that counts twice without a rule of who counts what: each rule by which
 * subagents are known is switched off here, by taking what it says out of the log.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine, faultsIn } from '../support/command-line.ts';
import { eventsWhere } from '../support/damage.ts';
import { packageCases } from '../support/package-corpus.ts';

const directory = temporaryDirectory();
const rules = [
  { rule: 'place', recording: 'pi-subagents-0.67.0/single' },
  { rule: 'place of several', recording: 'pi-subagents-0.67.0/workflow' },
  { rule: 'place of a subagent of a subagent', recording: 'pi-subagents-0.67.0/nested' },
];

/** What says whose subagent a session is. */
const ties = new Set(['pi.subagent.accounted.v1', 'pi.subagent.linked.v1']);

describe('a ledger that does not know its subagents', () => {
  it.each(rules)('by $rule counts twice: $recording', async ({ recording }) => {
    const each = packageCases().find(({ name }) => name.startsWith(recording));
    const { home = '', host = 'pi', directory: path = '' } = each ?? {};
    const where = [`--${host}`, join(home, path)];
    const now = new Date('2026-11-29T12:00:00Z');
    const ledger = commandLine(directory, {}, home, now);
    expect(await ledger.run('import', ...where)).toMatchObject({ code: 0 });
    const blind = ledger.copy();
    blind.change((database) => {
      for (const { position } of eventsWhere(database, ({ type }) => ties.has(type)))
        database.prepare('DELETE FROM events WHERE position = ?').run(position);
    });
    expect(await blind.run('rebuild', 'sessions')).toMatchObject({ code: 0 });
    const { code, answer } = await blind.reconcile(...where);
    expect(code).toBe(1);
    expect(faultsIn(answer)).toContain('counted_twice');
  });
});
