/** Whose sessions are, for exporters. */
import type { ReadSessionFacts, SessionFacts } from '@pi-ledger/contract/telemetry/session-facts';
import { minuteOf } from '../projections/session/calendar.ts';
import { labelsAt } from '../projections/session/labels.ts';
import { sessions } from '../projections/sessions.ts';
import type { ViewsReader } from '../views/views.ts';
import { billingOf } from './session-answers/billing-sums.ts';

/** Documents in memory at a time: those of long sessions are large. */
const documentsMax = 20;

export function createSessionFacts(views: ViewsReader): ReadSessionFacts {
  return async (sessionIds) => {
    const ids = [...new Set(sessionIds)];
    const found = new Map<string, SessionFacts>();
    for (let from = 0; from < ids.length; from += documentsMax) {
      const values = ids.slice(from, from + documentsMax);
      const documents = await views.find(sessions, {
        where: [{ column: 'key', is: 'in', values }],
        orderBy: { column: 'lastSeenAt', descending: false },
        limit: documentsMax,
      });
      for (const { key, body } of documents) {
        const facts = factsIn(body);
        if (facts !== null) found.set(key, facts);
      }
    }
    return found;
  };
}

function factsIn(body: string): SessionFacts | null {
  const { started, timeline } = sessions.decode(body);
  const facts = timeline.attributions.at(-1)?.facts;
  if (facts === undefined) return null;
  return {
    project: facts.project.name,
    branch: facts.project.branch,
    hostName: facts.host.name,
    hostVersion: facts.host.version,
    agentKind: facts.agent.kind,
    agentName: facts.agent.name,
    user: facts.user,
    parentSessionId: started?.parentSessionId ?? facts.parentSessionId,
    isIgnored: facts.isIgnored,
    billingOf: (provider, time) => billingOf(labelsAt(timeline, minuteOf(time), provider).billing),
  };
}
