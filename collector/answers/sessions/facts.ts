/** Whose sessions are, for exporters. */

import type { LedgerEvent } from '@pi-ledger/contract';
import { readBilling } from '@pi-ledger/contract/billings';
import type {
  FactsAt,
  ReadSessionFacts,
  SessionFacts,
} from '@pi-ledger/contract/telemetry/session-facts';
import { createTimelineRules, type FoldRules } from '../../projections/rules.ts';
import { toMinute } from '../../projections/session/calendar.ts';
import { compareText } from '../../projections/session/compare-text.ts';
import {
  type AttributionFacts,
  makeTimeline,
  type Timeline,
  withAttribution,
} from '../../projections/session/timeline.ts';
import { attributionAt, labelsAt } from '../../projections/session/timeline-labels.ts';

import type { UsageViews } from '../views/usage-views.ts';

/** Documents in memory at a time: those of long sessions are large. */
const documentsMax = 20;

/** From the view, which has the events that a subscriber is handed. */
export function createSessionFacts({ views, sessions }: UsageViews): ReadSessionFacts {
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

interface Prompt {
  readonly time: string;
  readonly entryId: string;
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
  const prompts = new Map<string, Prompt[]>();
  let hasSealed = false;

  function promptAt(sessionId: string, time: string): string | null {
    const before = (prompts.get(sessionId) ?? []).filter((each) => each.time <= time);
    const newest = before.toSorted((one, other) => compareText(one.time, other.time)).at(-1);
    return newest?.entryId ?? null;
  }

  function addPrompt({ subject, time, data }: LedgerEvent<'pi.prompt.submitted.v1'>): void {
    const known = prompts.get(subject) ?? [];
    known.push({ time, entryId: data.entryId });
    prompts.set(subject, known);
  }

  return {
    add(event) {
      const { subject } = event;
      hasSealed ||= event.type === 'pi.history.sealed.v1';
      if (event.type === 'pi.prompt.submitted.v1') addPrompt(event);
      if (event.type === 'pi.session.started.v1') parents.set(subject, event.data.parentSessionId);
      if (event.type !== 'pi.session.attributed.v1') return;
      const known = timelines.get(subject) ?? makeTimeline(null, [], timelineRules);
      timelines.set(subject, withAttribution(known, event, attributionsMax));
    },
    async read(sessionIds) {
      const found = new Map<string, SessionFacts>();
      for (const id of sessionIds) {
        const timeline = timelines.get(id);
        const parent = parents.get(id) ?? null;
        const facts = timeline === undefined ? null : factsIn(timeline, parent, promptAt);
        if (facts !== null) found.set(id, facts);
        else if (hasSealed) found.set(id, unknownAndIgnored);
      }
      return found;
    },
  };
}

const ignored: FactsAt = {
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

const unknownAndIgnored: SessionFacts = { at: () => ignored, parentPromptAt: () => null };

/** By session id, its newest prompt up to a time. */
type PromptAt = (sessionId: string, time: string) => string | null;

function factsIn(
  timeline: Timeline,
  parentSessionId: string | null,
  promptAt: PromptAt = () => null,
): SessionFacts | null {
  if (timeline.attributions.length === 0) return null;
  const known = new Map<AttributionFacts, FactsAt>();
  function at(time: string): FactsAt {
    const minute = toMinute(time);
    const facts = attributionAt(timeline, minute)?.facts;
    if (facts === undefined) return ignored;
    const found = known.get(facts);
    if (found !== undefined) return found;
    const made = factsOf(facts, { timeline, minute, parentSessionId });
    known.set(facts, made);
    return made;
  }
  return {
    at,
    parentPromptAt(time) {
      const parent = at(time).parentSessionId;
      return parent === null ? null : promptAt(parent, time);
    },
  };
}

interface Of {
  readonly timeline: Timeline;
  readonly minute: number;
  readonly parentSessionId: string | null;
}

function factsOf(
  { project, host, agent, user, parentSessionId, isIgnored }: AttributionFacts,
  of: Of,
): FactsAt {
  return {
    project: project.name,
    branch: project.branch,
    hostName: host.name,
    hostVersion: host.version,
    agentKind: agent.kind,
    agentName: agent.name,
    user,
    parentSessionId: of.parentSessionId ?? parentSessionId,
    isIgnored,
    billingOf: (provider) => readBilling(labelsAt(of.timeline, of.minute, provider).billing),
  };
}
