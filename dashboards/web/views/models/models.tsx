/** Models and tools: prices, latency, errors, caches, and what results put into windows. */
import type { ModelFigures, ModelRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { commandOf, withoutLabelsOrZone } from '../../format/command.ts';
import { formatCount } from '../../format/count.ts';
import { CsvFile } from '../../parts/csv-file.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { SameNumbers } from '../../parts/same-numbers.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswer } from '../../state/page.ts';
import { periodIn } from '../../state/scope.ts';
import { useIsCounting } from '../overview/counting.ts';
import type { ViewProps } from '../view.ts';
import {
  cachesAsk,
  modelsAsk,
  notNarrowedBy,
  speedAsk,
  toolCostsBy,
  toolCostsShown,
  toolsAsk,
} from './asks.ts';
import { cacheColumns, cachesSort } from './caches-table.tsx';
import { Failures } from './failures.tsx';
import { latencyScale } from './latency.ts';
import { errorColumns, keyOfModel, modelColumns } from './models-table.tsx';
import { NewestRequests } from './newest-requests.tsx';
import { isWithoutCache, isWithoutErrors } from './nothing.ts';
import { Reprice } from './reprice.tsx';
import { SpeedPerDay } from './speed-per-day.tsx';
import { ToolCosts } from './tool-costs.tsx';
import { toolColumns } from './tools-table.tsx';

const rangePx = 128;

export function Models(view: ViewProps): JSX.Element {
  const ask = modelsAsk(view.place, view.today);
  const models = useAnswer(ask);
  const tools = useAnswer(toolsAsk(view.place, view.today));
  const total = models.answer?.total;
  const isByTool = toolCostsBy(view.place) === 'tool';
  const period = periodIn(view.place, view.today);
  const commandIn = (name: string) => commandOf(name, view.place, period, withoutLabelsOrZone);
  return (
    <>
      <div class="view-head">
        <h1>Models and tools</h1>
        {total !== undefined && (
          <span class="note">
            {formatCount(total.answers)} attempts, {formatCount(total.failedAnswers)} of them
            failed; {formatCount(tools.answer?.total.calls ?? 0)} tool calls
          </span>
        )}
      </div>
      <div class="grid">
        <ModelTable {...view} />
        <SpeedPerDay {...view} models={models.answer?.rows ?? null} />
        <ToolTable {...view} />
        <Reprice {...view} models={models.answer?.rows ?? null} />
        <ErrorTable {...view} />
        <Failures {...view} />
        <Caches {...view} />
        <ToolCosts {...view} />
        <NewestRequests {...view} />
      </div>
      <SameNumbers
        command={['models', 'models --by-day', `tools --${isByTool ? 'costs' : 'by-model'}`].map(
          (name) => commandIn(`pi-ledger ${name}`),
        )}
        request={[ask, speedAsk(view.place, view.today), toolCostsShown(view.place, view.today)]
          .map(({ url }) => url)
          .join(', GET ')}
      />
    </>
  );
}

function ModelTable({ place, today }: ViewProps): JSX.Element {
  const models = useAnswer(modelsAsk(place, today));
  const rows: readonly ModelRow[] = models.answer?.rows ?? [];
  const scale = latencyScale(rows, rangePx);
  const missed = notNarrowedBy(place, []);
  const note = `bars: from half of the answers to 95 of 100, ${scale.words}${and(missed)}`;
  const isCounting = useIsCounting();
  const columnsOf = (total: ModelFigures) => modelColumns(rows, total, scale, isCounting);
  const csv = () => (models.answer === null ? '' : csvOf(columnsOf(models.answer.total), rows));
  return (
    <Section title="Models" note={rows.length === 0 ? missed : note} end={<CsvFile text={csv} />}>
      <Held of={models}>
        {(answer) =>
          answer.rows.length === 0 ? (
            <NothingFits what="answer" />
          ) : (
            <Table
              name="models"
              label="Models"
              columns={columnsOf(answer.total)}
              rows={answer.rows}
              keyOf={keyOfModel}
              sort={{ column: 'metered', isUp: false }}
              hasTotals
            />
          )
        }
      </Held>
    </Section>
  );
}

function ToolTable({ place, today }: ViewProps): JSX.Element {
  const tools = useAnswer(toolsAsk(place, today));
  const rows = tools.answer?.rows ?? [];
  const scale = latencyScale(rows, rangePx);
  const columns = toolColumns(rows, scale);
  const missed = notNarrowedBy(place, ['model', 'provider']);
  const note = `results, by what they put into windows; bars ${scale.words}${and(missed)}`;
  return (
    <Section
      title="Tools"
      note={rows.length === 0 ? missed : note}
      end={<CsvFile text={() => csvOf(columns, rows)} />}
      width={7}
    >
      <Held of={tools}>
        {(answer) =>
          answer.rows.length === 0 ? (
            <NothingFits what="tool call" />
          ) : (
            <Table
              name="tools"
              label="Tools"
              columns={columns}
              rows={rows}
              keyOf={({ tool }) => tool}
              sort={{ column: 'tokens', isUp: false }}
            />
          )
        }
      </Held>
    </Section>
  );
}

function ErrorTable({ place, today }: ViewProps): JSX.Element {
  const models = useAnswer(modelsAsk(place, today));
  return (
    <Section title="Errors and retries" width={7}>
      <Held of={models}>
        {({ rows, total }) =>
          isWithoutErrors(total) ? (
            <NothingFits what="failed attempt" />
          ) : (
            <Table
              name="errors"
              label="Errors and retries"
              columns={errorColumns(rows)}
              rows={rows}
              keyOf={keyOfModel}
              sort={{ column: 'failed', isUp: false }}
            />
          )
        }
      </Held>
    </Section>
  );
}

function Caches({ place, today }: ViewProps): JSX.Element {
  const caches = useAnswer(cachesAsk(place, today));
  const rows = caches.answer?.rows ?? [];
  const total = caches.answer?.total.cache;
  const columns = cacheColumns(total);
  return (
    <Section
      title="What caches saved"
      note="against the same tokens as input, at the average price of each model"
      end={<CsvFile text={() => csvOf(columns, rows)} />}
      width={7}
    >
      <Held of={caches}>
        {(answer) =>
          isWithoutCache(answer.total) ? (
            <NothingFits what="token read from or written to a cache" />
          ) : (
            <Table
              name="caches"
              label="What caches saved"
              columns={columns}
              rows={answer.rows}
              keyOf={({ provider = null, model = null }) => JSON.stringify([provider, model])}
              sort={cachesSort(total)}
            />
          )
        }
      </Held>
    </Section>
  );
}

function and(words: string): string {
  return words === '' ? '' : `; ${words}`;
}
