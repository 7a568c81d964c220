/** Series over time: lines for rates and percentiles, bars for sums of a time. */
import {
  GraphDrawStyle,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  GraphTransform,
  LegendDisplayMode,
  LegendPlacement,
  LineInterpolation,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type DynamicConfigValue,
  FieldColorBuilder,
  FieldColorModeId,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { grey, noLimits } from './look.ts';
import { fromPrometheus, type Said, type Sized, sized } from './panel.ts';
import { type Asked, overTime, refIdOf } from './queries.ts';

export interface Series extends Asked {
  /** Else by its name. */
  readonly color?: string;
  /** Pale with an outline: a subscription's list price, which nobody bills. Below the line. */
  readonly isListPrice?: boolean;
}

const size = { width: 12, height: 8 };

export function lines(said: Said, asked: readonly Series[], width = size.width): Sized {
  return chart(said, asked, width, undefined, () =>
    base(said).drawStyle(GraphDrawStyle.Line).fillOpacity(0).lineWidth(1),
  );
}

/**
 * Growth, stacked, of `inBars`: of `$interval`, or of more where the range has more of them than
 * fit. What is at list price has a stack of its own.
 */
export function bars(said: Said, asked: readonly Series[], width = size.width): Sized {
  const wrong = asked.find(({ expr }) => !expr.includes('[$__interval]'));
  if (wrong !== undefined) throw new Error(`Not as wide as its bar: ${wrong.expr}`);
  return chart(said, asked, width, '$interval', () =>
    base(said)
      .drawStyle(GraphDrawStyle.Bars)
      .fillOpacity(80)
      .lineWidth(0)
      .stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('measured')),
  );
}

function base({ thresholds }: Said): PanelBuilder {
  const dashed = thresholds === undefined ? 'Off' : 'Dashed';
  return new PanelBuilder()
    .lineInterpolation(LineInterpolation.Linear)
    .showPoints(VisibilityMode.Auto)
    .spanNulls(false)
    .axisSoftMin(0)
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.PaletteClassicByName))
    .thresholds(
      new ThresholdsConfigBuilder()
        .mode(ThresholdsMode.Absolute)
        .steps([...(thresholds ?? noLimits)]),
    )
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode[dashed]))
    .tooltip(
      new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending),
    )
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    );
}

function chart(
  said: Said,
  asked: readonly Series[],
  width: number,
  step: string | undefined,
  builder: () => PanelBuilder,
): Sized {
  const source = fromPrometheus(
    asked.map(({ expr }) => expr),
    overTime(asked, step),
  );
  return sized(said, source, { ...size, width }, () => {
    const panel = builder();
    for (const [index, each] of asked.entries()) {
      const properties = propertiesOf(each);
      if (properties.length > 0) panel.overrideByQuery(refIdOf(index), properties);
    }
    return panel;
  });
}

function propertiesOf({ color, isListPrice }: Series): DynamicConfigValue[] {
  return [
    ...(color === undefined
      ? []
      : [{ id: 'color', value: { mode: FieldColorModeId.Fixed, fixedColor: color } }]),
    ...(isListPrice === true
      ? [
          { id: 'custom.fillOpacity', value: 15 },
          { id: 'custom.lineWidth', value: 1 },
          { id: 'custom.transform', value: GraphTransform.NegativeY },
          { id: 'custom.stacking', value: { mode: StackingMode.Normal, group: 'list price' } },
        ]
      : []),
  ];
}

/** What is not among the first five. */
export function rest(expr: string): Series {
  return { expr, legend: 'others', color: grey };
}
