import { Type } from 'typebox';
import { type AnswerOf, CountOrNull, Next, OrNull, TextOrNull } from '../fields.ts';
import { toolFigureFields, toolFiguresExample } from '../tools/schema.ts';
import { CacheFigures, figureColumns, figureFields, figuresExample } from '../usage/schema.ts';

const Copy = Type.Object(
  {
    session: Type.String(),
    entries: Type.Integer(),
    spendEntries: Type.Integer({ description: 'Those of them that carry spend.' }),
    ownerAssumed: Type.Boolean({
      description:
        "An ancestor's file is missing; this session is the oldest ancestor still known.",
    }),
  },
  {
    title: 'SessionCopy',
    examples: [
      {
        session: '019a0041-0000-7000-8000-000000000041',
        entries: 14,
        spendEntries: 4,
        ownerAssumed: false,
      },
    ],
  },
);

export type SessionCopy = AnswerOf<typeof Copy>;

const sessionFields = {
  id: Type.String(),
  project: TextOrNull,
  branch: TextOrNull,
  user: OrNull(
    Type.String(),
    "The user of the producer's token, or else the user that the producer names.",
  ),
  claimedUser: OrNull(Type.String(), 'The user that the producer names.'),
  attribution: OrNull(
    Type.Enum(['live', 'import', 'inferred']),
    'Source of the attribution: the session itself, an import of its file, or, ' +
      'if that is missing, the header of a file with copies of its entries.',
  ),
  machine: TextOrNull,
  host: TextOrNull,
  hostVersion: TextOrNull,
  mode: TextOrNull,
  agentKind: TextOrNull,
  agentName: TextOrNull,
  parentSessionId: TextOrNull,
  rootSessionId: Type.String({
    description:
      'Root of its tree: the oldest ancestor with a known id, or itself without a parent.',
  }),
  relation: OrNull(
    Type.Enum(['fork', 'subagent']),
    'To its parent; null without one, or where only its header names it.',
  ),
  startedAt: Type.String(),
  lastSeenAt: Type.String({ description: 'Time of its newest event.' }),
  endedAt: OrNull(Type.String(), 'When its host last shut it down; if seen later, it was resumed.'),
  prompts: Type.Integer(),
  turns: Type.Integer(),
  toolCalls: Type.Integer(),
  compactions: Type.Integer(),
  copies: Type.Array(Copy, {
    description:
      "Other sessions whose files contain copies of this session's entries. " +
      'The entries count once, in this session.',
  }),
  ...figureFields,
};

/** The columns of the CSV, in order. */
export const sessionColumns: readonly string[] = [
  ...Object.keys(sessionFields).filter((name) => !Object.hasOwn(figureFields, name)),
  ...figureColumns,
];

const session = {
  id: '019a0040-0000-7000-8000-000000000040',
  project: 'shop',
  branch: 'main',
  user: 'ada',
  claimedUser: 'ada',
  attribution: 'live',
  machine: 'laptop',
  host: 'pi',
  hostVersion: '1.5.2',
  mode: 'interactive',
  agentKind: 'main',
  agentName: null,
  parentSessionId: null,
  rootSessionId: '019a0040-0000-7000-8000-000000000040',
  relation: null,
  startedAt: '2026-05-01T09:00:00.000Z',
  lastSeenAt: '2026-05-01T09:41:12.000Z',
  endedAt: null,
  prompts: 3,
  turns: 12,
  toolCalls: 9,
  compactions: 0,
  copies: [],
  ...figuresExample,
};

const lastContext = {
  time: '2026-05-01T09:41:10.000Z',
  tokens: 108_789,
  heldTokens: 109_410,
  windowTokens: 128_000,
  thresholdTokens: 111_616,
};

const LastContext = Type.Object(
  {
    time: Type.String(),
    tokens: OrNull(Type.Integer(), 'As in `GET /v1/context/{session}`, like heldTokens.'),
    heldTokens: CountOrNull,
    windowTokens: OrNull(Type.Integer(), 'Null: no live host told it.'),
    thresholdTokens: OrNull(Type.Integer(), 'Null: not known, or the host never compacts.'),
  },
  {
    title: 'LastContext',
    description: 'How full the window was with the newest answer.',
    examples: [lastContext],
  },
);

export const Session = Type.Object(
  {
    ...sessionFields,
    context: Type.Optional(
      OrNull(LastContext, 'With `context=include`; null: no answer, or not to be seen in full.'),
    ),
  },
  { title: 'Session', examples: [session] },
);
export type Session = AnswerOf<typeof Session>;

/** `GET /v1/sessions` */
export const SessionList = Type.Object(
  {
    rows: Type.Array(Session),
    next: Next,
    total: Type.Optional(OrNull(Type.Integer(), 'With `total=include`: how many match.')),
  },
  { title: 'SessionList', examples: [{ rows: [session], next: null }] },
);

const { calls: _, failures: __, ...measuredFields } = toolFigureFields;
const { calls: ___, failures: ____, ...measured } = toolFiguresExample;

const Tool = Type.Object({
  name: Type.String(),
  calls: Type.Integer(),
  errors: Type.Integer(),
  ...measuredFields,
});

const Run = Type.Object(
  {
    endedAt: Type.String(),
    promptEntryId: TextOrNull,
    turns: Type.Integer(),
    attempts: Type.Integer({ description: 'More than 1 where the host retried.' }),
    toolCalls: Type.Integer(),
    errors: Type.Integer({ description: 'Turns that failed or were aborted; tools that failed.' }),
    filesModified: Type.Integer(),
    durationMs: Type.Number(),
    outcome: Type.Enum(['completed', 'aborted', 'failed', 'length']),
  },
  {
    title: 'SessionRun',
    description: 'From a prompt until the agent is idle, as the host saw it.',
    examples: [run()],
  },
);
export type SessionRun = AnswerOf<typeof Run>;

const WithSubagents = Type.Object(
  {
    subagents: Type.Integer(),
    isAtLeast: Type.Boolean({ description: 'There are more, in no figure here.' }),
    ...figureFields,
  },
  {
    title: 'WithSubagents',
    description: 'What it and the subagents below it, at every level, spent together.',
    examples: [{ subagents: 1, isAtLeast: false, ...figuresExample }],
  },
);

const cached = { readsSavedNanoUsd: '0', writesExtraNanoUsd: '0', leftOutTokens: 0 };

/** `GET /v1/sessions/{id}` */
export const SessionDetails = Type.Object(
  {
    ...sessionFields,
    newer: OrNull(Type.String(), 'The session seen next after it; null: none.'),
    older: OrNull(Type.String(), 'The session seen last before it; null: none.'),
    withSubagents: OrNull(WithSubagents, 'Null: it has none.'),
    cache: CacheFigures,
    toolErrors: Type.Integer(),
    private: OrNull(
      Type.Object({
        entries: Type.Integer({ description: 'Not recorded, in all stretches that have ended.' }),
        pausedSince: OrNull(Type.String(), 'Null: it is recorded.'),
      }),
      'What the user kept private (`/ledger pause`); null: the recording was never paused.',
    ),
    tools: Type.Array(Tool),
    runs: Type.Array(Run, { description: 'The newest 200, by time; none of an import.' }),
    runsTotal: Type.Integer(),
  },
  {
    title: 'SessionDetails',
    examples: [
      {
        ...session,
        newer: null,
        older: '019a0039-0000-7000-8000-000000000039',
        withSubagents: null,
        cache: { metered: cached, subscription: cached, unknown: cached },
        toolErrors: 1,
        private: null,
        tools: [{ name: 'bash', calls: 9, errors: 1, ...measured }],
        runs: [run()],
        runsTotal: 3,
      },
    ],
  },
);
export type SessionDetails = AnswerOf<typeof SessionDetails>;

function run() {
  return {
    endedAt: '2026-05-01T09:41:10.000Z',
    promptEntryId: 'c15232cc',
    turns: 6,
    attempts: 1,
    toolCalls: 5,
    errors: 1,
    filesModified: 1,
    durationMs: 61_450.25,
    outcome: 'completed',
  };
}
