import { Type } from 'typebox';
import {
  type AnswerOf,
  columnsOf,
  hiddenNames,
  NanoUsd,
  Next,
  TextOrNull,
  TokenSum,
} from '../fields.ts';

const Without = Type.Object({
  unpricedCalls: Type.Integer({ description: 'Of answers without a price: not in the amount.' }),
  unreportedCalls: Type.Integer({
    description: 'Of attempts whose spend the host did not report. Not free.',
  }),
});

export const toolModelFigureFields = {
  calls: Type.Integer({ description: 'As answers asked for them, whatever became of them.' }),
  tokens: TokenSum('Input, cache and output of these answers, shared like their cost.'),
  meteredNanoUsd: NanoUsd('Shares of answers that are billed by use.'),
  subscriptionNanoUsd: NanoUsd('Shares at list price of answers that a subscription covers.'),
  unknownBillingNanoUsd: NanoUsd('Shares of answers of unknown billing.'),
  byBilling: Type.Object({ metered: Without, subscription: Without, unknown: Without }),
};

const none = { unpricedCalls: 0, unreportedCalls: 0 };
export const toolModelFiguresExample = {
  calls: 9,
  tokens: 412_300,
  meteredNanoUsd: '213560000',
  subscriptionNanoUsd: '0',
  unknownBillingNanoUsd: '0',
  byBilling: { metered: { ...none, unreportedCalls: 1 }, subscription: none, unknown: none },
};

export const ToolModelFigures = Type.Object(toolModelFigureFields, {
  title: 'ToolModelFigures',
  examples: [toolModelFiguresExample],
});
export type ToolModelFigures = AnswerOf<typeof ToolModelFigures>;

const row = {
  tool: 'bash',
  provider: 'anthropic',
  model: 'claude-sonnet-5',
  lastDay: '2026-11-22',
  ...toolModelFiguresExample,
};

export const ToolModelRow = Type.Object(
  {
    tool: Type.String(),
    provider: TextOrNull,
    model: TextOrNull,
    lastDay: Type.String({ description: 'The last one with a call, of whoever worked.' }),
    ...toolModelFigureFields,
  },
  { title: 'ToolModelRow', examples: [row] },
);
export type ToolModelRow = AnswerOf<typeof ToolModelRow>;

/** The columns of the CSV, in order. */
export const toolModelColumns = columnsOf(row);

/** `GET /v1/tools/models` */
export const ToolModelList = Type.Object(
  { rows: Type.Array(ToolModelRow), total: ToolModelFigures, hiddenNames, next: Next },
  {
    title: 'ToolModelList',
    description:
      'Sorted by calls, then by name. An answer is shared equally among the tool calls that it ' +
      'asked for; answers without a call are in no row. `total` covers all rows.',
    examples: [{ rows: [row], total: toolModelFiguresExample, next: null }],
  },
);
export type ToolModelList = AnswerOf<typeof ToolModelList>;
