/**
 * The rows of sessions' audits, kept until something they are computed from changes: the session's
 * document, its lineage, or a chunk of their contexts.
 */

import { createHash } from 'node:crypto';
import type { Compaction } from '@pi-ledger/contract/answers';
import { toMinute } from '../../../projections/session/calendar.ts';
import type { SessionState } from '../../../projections/session/document.ts';
import { labelsAt } from '../../../projections/session/timeline-labels.ts';
import { sessions } from '../../../projections/sessions.ts';
import type { ViewDocument, ViewsReader } from '../../../views/views.ts';
import type { AuditRow } from '../../context/audit.ts';
import type { AskedSession, SessionContexts } from '../../contexts/contexts.ts';
import { findLineages, parentOf } from '../../contexts/lineage.ts';
import { hostOf } from '../../sessions/whole-sessions.ts';
import type { UsageViews } from '../../views/usage-views.ts';
import { toCompactionRow } from './row.ts';

export interface AuditedRow {
  /** Its day is the spender's. */
  readonly row: Compaction;
  readonly branch: string;
  readonly isIgnored: boolean;
}

export interface AuditedSessions {
  /**
   * Computes what is missing, and looks at what is in doubt, of a hundred of them. False: there are
   * more.
   */
  settle(ids: ReadonlySet<string>): Promise<boolean>;
  row(session: string, id: string): AuditedRow | undefined;
  /** What these sessions take part in may have changed. */
  doubt(ids: ReadonlySet<string>): Promise<void>;
  doubtAll(): void;
  /** Keeps nothing. */
  clear(): void;
}

interface Audited {
  /** It changes with anything that the rows were computed from. */
  readonly version: string;
  readonly rows: ReadonlyMap<string, AuditedRow>;
  isSure: boolean;
}

const sessionsPerStep = 100;
const idsPerQueryMax = 500;

export function createAuditedSessions(
  { views, sessions }: UsageViews,
  contexts: SessionContexts,
): AuditedSessions {
  const known = new Map<string, Audited>();
  /** By each session of their lineages. */
  const takenFrom = new Map<string, Set<string>>();

  function keep(id: string, lineage: readonly string[], audited: Audited): void {
    known.set(id, audited);
    for (const member of lineage) {
      const owners = takenFrom.get(member) ?? new Set();
      takenFrom.set(member, owners.add(id));
    }
  }

  async function settleSome(ids: readonly string[]): Promise<void> {
    const documents = await views.find(sessions, {
      where: [{ column: 'key', is: 'in', values: ids }],
      orderBy: { column: 'key', descending: false },
      limit: ids.length,
    });
    const lineages = await findLineages(views, documents, null);
    const asked = documents.map((document, index): AskedSession => {
      return { lineage: lineages[index] ?? [document.key], host: hostOf(document) };
    });
    const versions = (await contexts.versions(asked)).map((version, index) =>
      [version, digestOf(documents[index])].join(' '),
    );
    const isChanged = (index: number): boolean =>
      known.get(documents[index]?.key ?? '')?.version !== versions[index];
    const audits = await contexts.audits(asked.filter((_, index) => isChanged(index)));
    const found = new Set<string>();
    for (const [index, { key, body }] of documents.entries()) {
      const version = versions[index] ?? '';
      const rows = isChanged(index)
        ? rowsOf(audits.get(key) ?? [], sessions.decode(body))
        : (known.get(key)?.rows ?? new Map());
      keep(key, lineages[index] ?? [], { version, rows, isSure: true });
      found.add(key);
    }
    for (const id of ids)
      if (!found.has(id)) keep(id, [id], { version: '', rows: new Map(), isSure: true });
  }

  return {
    async settle(ids) {
      const open = [...ids].filter((id) => known.get(id)?.isSure !== true);
      if (open.length > 0) await settleSome(open.slice(0, sessionsPerStep));
      return open.length <= sessionsPerStep;
    },
    row: (session, id) => known.get(session)?.rows.get(id),
    async doubt(ids) {
      if (known.size === 0) return;
      for (const member of [...ids, ...(await relativesOf(views, [...ids]))])
        for (const owner of takenFrom.get(member) ?? []) {
          const audited = known.get(owner);
          if (audited !== undefined) audited.isSure = false;
        }
    },
    doubtAll() {
      for (const audited of known.values()) audited.isSure = false;
    },
    clear() {
      known.clear();
      takenFrom.clear();
    },
  };
}

/** The sessions above and below: a link to one may be new. */
async function relativesOf(views: ViewsReader, ids: readonly string[]): Promise<string[]> {
  const relatives: string[] = [];
  for (let from = 0; from < ids.length; from += idsPerQueryMax) {
    const values = ids.slice(from, from + idsPerQueryMax);
    const query = { orderBy: { column: 'key', descending: false }, bodies: false };
    const own = await views.find(sessions, {
      ...query,
      where: [{ column: 'key', is: 'in', values }],
      limit: values.length,
    });
    relatives.push(...own.flatMap(({ columns }) => parentOf(columns) ?? []));
    for (let last: ViewDocument | undefined; ; ) {
      const below = await views.find(sessions, {
        ...query,
        where: [{ column: 'parentSessionId', is: 'in', values }],
        limit: idsPerQueryMax,
        ...(last === undefined ? {} : { after: { value: last.key, key: last.key } }),
      });
      relatives.push(...below.map(({ key }) => key));
      last = below.at(-1);
      if (below.length < idsPerQueryMax) break;
    }
  }
  return relatives;
}

function digestOf(document: ViewDocument | undefined): string {
  return createHash('sha256')
    .update(document?.body ?? '')
    .digest('base64');
}

function rowsOf(audit: readonly AuditRow[], state: SessionState): Map<string, AuditedRow> {
  return new Map(audit.map((row) => [row.id, auditedRow(row, state)]));
}

export function auditedRow(row: AuditRow, state: SessionState): AuditedRow {
  const provider = row.kind === 'failure' ? '' : row.provider;
  const { branch, isIgnored } = labelsAt(state.timeline, toMinute(row.time), provider);
  return { row: toCompactionRow(row, state), branch, isIgnored };
}
