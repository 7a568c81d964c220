/** Whose sessions are, for exporters. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { ReadSessionFacts, SessionFacts } from '@pi-ledger/contract/telemetry/session-facts';
import { createTimelineRules, type FoldRules } from '../projections/rules.ts';
import { minuteOf } from '../projections/session/calendar.ts';
import { labelsAt } from '../projections/session/labels.ts';
import { type Timeline, timelineOf, withAttribution } from '../projections/session/timeline.ts';
import { sessions } from '../projections/sessions.ts';
import type { ViewsReader } from '../views/views.ts';
import { billingOf } from './session-answers/billing-sums.ts';

/** Documents in memory at a time: those of long sessions are large. */
const documentsMax = 20;

/** From the view, which has the events that a subscriber is handed. */
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
        const { started, timeline } = sessions.decode(body);
        const facts = factsIn(timeline, started?.parentSessionId ?? null);
        if (facts !== null) found.set(key, facts);
      }
    }
    return found;
  };
}

export interface FactsOfEvents {
  add(event: LedgerEvent): void;
  readonly read: ReadSessionFacts;
}

/** As the view's fold does it. */
const attributionsMax = 1_000;

/**
 * From events, where there is no view to ask. Once history is sealed, whose a session is may be
 * deleted while later events of it are not: such a session counts as ignored. Throws on an invalid
 * glob or pattern.
 */
export function factsOfEvents(rules: FoldRules): FactsOfEvents {
  const timelineRules = createTimelineRules(rules);
  const timelines = new Map<string, Timeline>();
  const parents = new Map<string, string | null>();
  let hasSealed = false;
  return {
    add(event) {
      const { subject } = event;
      hasSealed ||= event.type === 'pi.history.sealed.v1';
      if (event.type === 'pi.session.started.v1') parents.set(subject, event.data.parentSessionId);
      if (event.type !== 'pi.session.attributed.v1') return;
      const known = timelines.get(subject) ?? timelineOf(null, [], timelineRules);
      timelines.set(subject, withAttribution(known, event, attributionsMax));
    },
    async read(sessionIds) {
      const found = new Map<string, SessionFacts>();
      for (const id of sessionIds) {
        const timeline = timelines.get(id);
        const facts = timeline === undefined ? null : factsIn(timeline, parents.get(id) ?? null);
        if (facts !== null) found.set(id, facts);
        else if (hasSealed) found.set(id, unknownAndIgnored);
      }
      return found;
    },
  };
}

const unknownAndIgnored: SessionFacts = {
  project: '',
  branch: null,
  hostName: '',
  hostVersion: null,
  agentKind: 'main',
  agentName: null,
  user: '',
  parentSessionId: null,
  isIgnored: true,
  billingOf: () => 'unknown',
};

function factsIn(timeline: Timeline, parentSessionId: string | null): SessionFacts | null {
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
    parentSessionId: parentSessionId ?? facts.parentSessionId,
    isIgnored: facts.isIgnored,
    billingOf: (provider, time) => billingOf(labelsAt(timeline, minuteOf(time), provider).billing),
  };
}
