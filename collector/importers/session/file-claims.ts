/**
 * Subagents' answers claimed by a file's tool results. They help find the sessions that gave these
 * answers.
 */
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import type { FileClaim } from '../threads/read-job.ts';

export interface FileClaims {
  readonly list: readonly FileClaim[];
  /** `holder`: the file's session. Returns how many claims did not fit. */
  add(entry: EntryDrafts, holder: string): number;
}

interface EntryDrafts {
  readonly drafts: readonly EventDraft[];
  readonly turnAtMs: number | null;
}

const claimsMaxDefault = 100_000;

export function createFileClaims(claimsMax: number = claimsMaxDefault): FileClaims {
  const list: FileClaim[] = [];
  return {
    list,
    add({ drafts, turnAtMs }, holder) {
      const claims = drafts.flatMap((draft) => claimOf(draft, holder, turnAtMs));
      const kept = claims.slice(0, claimsMax - list.length);
      for (const claim of kept) list.push(claim);
      return claims.length - kept.length;
    },
  };
}

/** Claims under `turn:` keys need no search: the turn identifies them. */
function claimOf(
  { id, type, subject, time, data }: EventDraft,
  holder: string,
  turnAtMs: number | null,
): FileClaim[] {
  if (type !== 'pi.subagent.claimed.v1' || data.key.startsWith('turn:')) return [];
  const { key, turnEntryId, entryId } = data;
  return [
    {
      key,
      claimId: id,
      holder,
      sessionId: subject,
      turnEntryId: turnEntryId ?? entryId,
      turnAt: turnAtMs === null ? null : new Date(turnAtMs).toISOString(),
      time,
    },
  ];
}
