/** What the answers that called each tool cost: by model, or over all models. */
import type { ToolCostRow, ToolModelFigures } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import type { Answered } from '../../api/answers.ts';
import { Choices } from '../../parts/choices.tsx';
import { CsvFile } from '../../parts/csv-file.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswer } from '../../state/page.ts';
import { useIsCounting } from '../overview/counting.ts';
import type { ViewProps } from '../view.ts';
import {
  notNarrowedBy,
  toolCostChoices,
  toolCostsAsk,
  toolCostsBy,
  toolModelsAsk,
} from './asks.ts';
import {
  keyOfToolModel,
  type ShownCosts,
  toolCostColumns,
  toolModelColumns,
} from './tool-costs-table.tsx';

export function ToolCosts(view: ViewProps): JSX.Element {
  return toolCostsBy(view.place) === 'tool' ? <OverAllModels {...view} /> : <ByModel {...view} />;
}

function ByModel(view: ViewProps): JSX.Element {
  const asked = useAnswer(toolModelsAsk(view.place, view.today));
  return <Costs {...view} asked={asked} columnsOf={toolModelColumns} keyOf={keyOfToolModel} />;
}

function OverAllModels(view: ViewProps): JSX.Element {
  const asked = useAnswer(toolCostsAsk(view.place, view.today));
  return <Costs {...view} asked={asked} columnsOf={toolCostColumns} keyOf={({ tool }) => tool} />;
}

interface CostsProps<Row extends ToolCostRow> extends ViewProps {
  readonly asked: Answered<{ readonly rows: readonly Row[]; readonly total: ToolModelFigures }>;
  readonly columnsOf: (total: ToolModelFigures, shown: ShownCosts) => readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
}

function Costs<Row extends ToolCostRow>(props: CostsProps<Row>): JSX.Element {
  const { place, today, asked, columnsOf, keyOf } = props;
  const isCounting = useIsCounting();
  const columns = (total: ToolModelFigures) => columnsOf(total, { isCounting, today: today.day });
  const missed = notNarrowedBy(place, []);
  const shares = 'an answer’s cost is shared equally among the calls that it asked for';
  const note = missed === '' ? shares : `${shares}; ${missed}`;
  const csv = () =>
    asked.answer === null ? '' : csvOf(columns(asked.answer.total), asked.answer.rows);
  return (
    <Section
      title="Cost of tools"
      note={asked.answer?.rows.length === 0 ? missed : note}
      end={
        <>
          <Choices parameter="tools" among={toolCostChoices} otherwise="model" word="by" />
          <CsvFile text={csv} />
        </>
      }
    >
      <Held of={asked}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <NothingFits what="tool call" />
          ) : (
            <Table
              name="toolCosts"
              label="Cost of tools"
              columns={columns(total)}
              rows={rows}
              keyOf={keyOf}
              sort={{ column: 'calls', isUp: false }}
              hasTotals
            />
          )
        }
      </Held>
    </Section>
  );
}
