import { Type } from 'typebox';
import { Budget } from './budgets.ts';
import { type AnswerOf, NanoUsd, OrNull, TextOrNull } from './fields.ts';
import { Importing, LeftOut } from './health.ts';

const Billed = Type.Object({
  records: Type.Integer({ description: 'Every entry with usage once, unreported ones too.' }),
  nanoUsd: NanoUsd('Of the records that have a price.'),
  unpricedRecords: Type.Integer({ description: 'Without a price: not in the amount.' }),
  unreportedRecords: Type.Integer({ description: 'Attempts whose spend is not known.' }),
});

export const AgentSpent = Type.Object(
  { metered: Billed, subscription: Billed, unknown: Billed },
  {
    title: 'AgentSpent',
    description: 'By kind of billing; never to be added. Subscriptions: at list price.',
  },
);

export type AgentSpent = AnswerOf<typeof AgentSpent>;

const nothing = { records: 0, nanoUsd: '0', unpricedRecords: 0, unreportedRecords: 0 };
const spentExample = {
  metered: { ...nothing, records: 12, nanoUsd: '613560000' },
  subscription: nothing,
  unknown: nothing,
};

const Subagents = Type.Object({
  sessions: Type.Integer({ description: 'Subagents below the session, at every level.' }),
  isAtLeast: Type.Boolean({ description: 'There are more than are counted.' }),
  spent: AgentSpent,
});

const sessionExample = {
  id: '01a1addd-51a6-7c53-8f5c-1e5b7f5a2f10',
  project: 'shop',
  user: 'ada',
  isIgnored: false,
  spent: spentExample,
  claimed: { metered: nothing, subscription: nothing, unknown: nothing },
  subagents: { sessions: 2, isAtLeast: false, spent: spentExample },
};

const AgentSession = Type.Object(
  {
    id: Type.String(),
    project: TextOrNull,
    user: TextOrNull,
    isIgnored: Type.Boolean({ description: 'Its project is ignored: it is in no sum.' }),
    spent: AgentSpent,
    claimed: OrNull(AgentSpent, 'Null: the caller may not see all of the session.'),
    subagents: Subagents,
  },
  {
    title: 'AgentSession',
    description:
      '`spent`: what the session recorded. `claimed`: the part of it that its tool results say ' +
      'subagents spent, and no subagent recorded. `subagents`: what these recorded themselves, ' +
      'in no other figure of the session.',
    examples: [sessionExample],
  },
);

/** `GET /v1/agent` */
export const AgentOverview = Type.Object(
  {
    user: OrNull(
      Type.String(),
      "Whose spend the sums are: the session's user, else the token's. Null: of everybody that " +
        'the caller may see.',
    ),
    session: OrNull(AgentSession, 'Null: not received yet, or not visible to the caller.'),
    projectToday: OrNull(AgentSpent, "Of the session's project; null where that is not known."),
    today: AgentSpent,
    month: AgentSpent,
    budgets: Type.Array(Budget, { description: "Those of the session's project and user." }),
    budgetsLeftOut: Type.Array(Type.String(), {
      description: 'Which budgets of the settings do not hold, as `GET /v1/budgets` has them.',
    }),
    isBehind: OrNull(
      Type.Boolean(),
      'Whether acknowledged events are missing in the sums; null: it is not known in time.',
    ),
    importing: OrNull(Importing, 'An unfinished import: sums still grow; null: none is known.'),
    leftOut: OrNull(LeftOut, 'In no sum; null: it is not known in time.'),
  },
  {
    title: 'AgentOverview',
    description: "Days and months are the spender's own.",
    examples: [
      {
        user: 'ada',
        session: sessionExample,
        projectToday: spentExample,
        today: spentExample,
        month: spentExample,
        budgets: [],
        budgetsLeftOut: [],
        isBehind: false,
        importing: null,
        leftOut: { files: 0, count: 0 },
      },
    ],
  },
);
export type AgentOverview = AnswerOf<typeof AgentOverview>;
