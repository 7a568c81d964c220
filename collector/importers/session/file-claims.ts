/**
 * What a file's tool results say of subagents: answers, sessions by name, or only a sum. It helps
 * find these subagents' sessions.
 */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import { isRunRef } from '@pi-ledger/core/record/run-ref';
import type { FileClaim } from '../proofs.ts';
import { sumKey } from '../run-sums.ts';

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
      const claims = claimsIn(drafts.filter(namesNoRun), holder, turnAtMs);
      const kept = claims.slice(0, claimsMax - list.length);
      for (const claim of kept) list.push(claim);
      return claims.length - kept.length;
    },
  };
}

function claimsIn(
  drafts: readonly EventDraft[],
  holder: string,
  turnAtMs: number | null,
): readonly FileClaim[] {
  const tool = drafts.find((draft) => draft.type === 'pi.tool.completed.v1');
  const turnEntryId = tool?.data.turnEntryId ?? null;
  const isNamed = drafts.some(({ type }) => type === 'pi.subagent.linked.v1');
  const claim = (
    { id, subject, time, data }: EventDraft,
    key: string,
    entryId: string,
  ): FileClaim => ({
    key,
    claimId: id,
    holder,
    sessionId: subject,
    turnEntryId: ('turnEntryId' in data ? data.turnEntryId : turnEntryId) ?? entryId,
    turnAt: turnAtMs === null ? null : new Date(turnAtMs).toISOString(),
    time,
  });
  return drafts.flatMap((draft) => {
    switch (draft.type) {
      case 'pi.subagent.linked.v1': {
        const { entryId, ref } = draft.data;
        return entryId === null ? [] : [claim(draft, ref, entryId)];
      }
      case 'pi.subagent.claimed.v1': {
        const { key, entryId, claimed } = draft.data;
        if (!key.startsWith('turn:')) return [claim(draft, key, entryId)];
        return isNamed ? [] : [sumClaim(claim(draft, sumKey(claimed), entryId), entryId)];
      }
      case 'pi.tool.completed.v1': {
        const { spend, entryId } = draft.data;
        if (isNamed || spend === null || !spend.reported) return [];
        return [sumClaim(claim(draft, sumKey(spend), entryId), entryId)];
      }
      default:
        return [];
    }
  });
}

/** Runs are compared within a session alone. */
function namesNoRun({ type, data }: EventDraft): boolean {
  return type !== 'pi.subagent.linked.v1' || !isRunRef(data.ref);
}

/** Names the tool result, to which the subagent will be tied. */
function sumClaim(claim: FileClaim, entryId: string): FileClaim {
  return { ...claim, claimId: entryId };
}
