import { Type } from 'typebox';
import { type AnswerOf, columnsOf, hiddenNames, Next } from '../fields.ts';
import { PercentileOrNull } from '../timings.ts';

export const toolFigureFields = {
  calls: Type.Integer(),
  failures: Type.Integer(),
  timedCalls: Type.Integer({ description: 'Calls whose duration is known.' }),
  durationP50: PercentileOrNull,
  durationP95: PercentileOrNull,
  resultTokensEstimated: Type.Integer({
    description: 'Of all results: a quarter of their characters, and a constant for each image.',
  }),
  namedFiles: Type.Integer({ description: "Files that the calls' arguments name; calls add up." }),
};

export const toolFiguresExample = {
  calls: 9,
  failures: 1,
  timedCalls: 9,
  durationP50: { ms: 14.2, is: 'interpolated' },
  durationP95: { ms: 81_920, is: 'at least' },
  resultTokensEstimated: 5_210,
  namedFiles: 7,
};

export const ToolFigures = Type.Object(toolFigureFields, {
  title: 'ToolFigures',
  examples: [toolFiguresExample],
});
export type ToolFigures = AnswerOf<typeof ToolFigures>;

const toolFields = { tool: Type.String(), ...toolFigureFields };
const row = { tool: 'bash', ...toolFiguresExample };

export const ToolRow = Type.Object(toolFields, { title: 'ToolRow', examples: [row] });
export type ToolRow = AnswerOf<typeof ToolRow>;

/** The columns of the CSV, in order. */
export const toolColumns = columnsOf(row);

/** `GET /v1/tools` */
export const ToolList = Type.Object(
  { rows: Type.Array(ToolRow), total: ToolFigures, hiddenNames, next: Next },
  {
    title: 'ToolList',
    description: 'Sorted by calls. `total` covers all rows, not just this page.',
    examples: [{ rows: [row], total: toolFiguresExample, next: null }],
  },
);
export type ToolList = AnswerOf<typeof ToolList>;
