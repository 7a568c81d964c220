import { Type } from 'typebox';
import { type AnswerOf, columnsOf, hiddenNames, Next } from '../fields.ts';
import {
  ToolModelFigures,
  toolModelFigureFields,
  toolModelFiguresExample,
} from './models-schema.ts';

const row = { tool: 'bash', lastDay: '2026-11-22', ...toolModelFiguresExample };

export const ToolCostRow = Type.Object(
  {
    tool: Type.String(),
    lastDay: Type.String({ description: 'The last one with a call, of whoever worked.' }),
    ...toolModelFigureFields,
  },
  { title: 'ToolCostRow', examples: [row] },
);
export type ToolCostRow = AnswerOf<typeof ToolCostRow>;

/** The columns of the CSV, in order. */
export const toolCostColumns = columnsOf(row);

/** `GET /v1/tools/costs` */
export const ToolCostList = Type.Object(
  { rows: Type.Array(ToolCostRow), total: ToolModelFigures, hiddenNames, next: Next },
  {
    title: 'ToolCostList',
    description:
      'Sorted by calls, then by name. What `GET /v1/tools/models` says, over all models.',
    examples: [{ rows: [row], total: toolModelFiguresExample, next: null }],
  },
);
export type ToolCostList = AnswerOf<typeof ToolCostList>;
