import { noRules } from '../../../../collector/projections/rules.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';

/** The projection as a ledger without rules folds it. */
export const sessions = createSessions(noRules);
