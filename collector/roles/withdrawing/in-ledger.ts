/** Withdrawals in an open ledger: for its API, and for its own import of session files. */
import type { Withdrawing } from '../../answers/withdrawals/route.ts';
import { LedgerError } from '../../errors.ts';
import { refuseOthers, type WithdrawSession } from '../../importers/session/private/taken-back.ts';
import { createSessions } from '../../projections/sessions.ts';
import type { LedgerParts } from '../parts.ts';
import { createWithdrawing } from './withdraw.ts';

export function withdrawingIn({ store, config, cell, ingest, now }: LedgerParts): Withdrawing {
  const { log, tokens, views } = store;
  const sessions = createSessions(config.rules);
  return createWithdrawing({
    ...{ log, cells: cell.count ?? 1, ingest, tokens, now },
    ...{ views, sessions },
  });
}

export function withdrawSessionIn(parts: LedgerParts): WithdrawSession {
  const { withdraw } = withdrawingIn(parts);
  return async (session, reason, period) => {
    try {
      const taken = await withdraw({ session, reason, by: null, dryRun: true });
      const refusal = refuseOthers(taken, period);
      if (refusal !== null) return refusal;
      await withdraw({ session, reason, by: null });
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      if (error.code === 'bad_parameter') return { why: error.message, isDoubt: false };
      if (error.code !== 'not_found') throw error;
    }
    return null;
  };
}
