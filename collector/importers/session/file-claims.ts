/**
 * What a file's tool results claim that subagents answered. Whoever has these answers in a session
 * of its own is looked for by them.
 */
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import type { FileClaim } from '../threads/read-job.ts';

export interface FileClaims {
  readonly list: readonly FileClaim[];
  /** `holder`: the session of the file. Answers how many there was no room for. */
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

/** What a turn's tools let others spend is known by the turn: nobody has to be looked for. */
function claimOf(
  { id, type, subject, time, ownership, data }: EventDraft,
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
      isCertain: ownership === undefined,
    },
  ];
}
