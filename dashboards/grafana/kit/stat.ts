/** One figure. */
import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  ReduceDataOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { ThresholdsConfigBuilder, ThresholdsMode } from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/stat';
import type { ApiQuery } from './infinity.ts';
import { noLimits, noValue } from './look.ts';
import { fromLedger, fromPrometheus, type Said, type Sized, type Source, sized } from './panel.ts';
import { type Asked, atTheEnd } from './queries.ts';

const size = { width: 6, height: 4 };

export function figure(said: Said, query: ApiQuery, width = size.width): Sized {
  // All fields: words, too, not only numbers.
  return stat(said, fromLedger(query), '/.*/', width);
}

export function liveFigure(said: Said, asked: readonly Asked[], width = size.width): Sized {
  const source = fromPrometheus(
    asked.map(({ expr }) => expr),
    atTheEnd(asked),
  );
  return stat(said, source, '', width);
}

function stat(said: Said, source: Source, fields: string, width: number): Sized {
  return sized({ noData: noValue, ...said }, source, { ...size, width }, () =>
    new PanelBuilder()
      .graphMode(BigValueGraphMode.None)
      .colorMode(said.thresholds === undefined ? BigValueColorMode.None : BigValueColorMode.Value)
      .textMode(BigValueTextMode.Auto)
      .thresholds(
        new ThresholdsConfigBuilder()
          .mode(ThresholdsMode.Absolute)
          .steps([...(said.thresholds ?? noLimits)]),
      )
      .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).fields(fields)),
  );
}
