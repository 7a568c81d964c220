/** The first line of a view: what one came for. */
import type { ComponentChildren, JSX } from 'preact';

export function Figures({ children }: { children: ComponentChildren }): JSX.Element {
  return <div class="figures">{children}</div>;
}

export interface FigureProps {
  readonly label: ComponentChildren;
  /** The number. */
  readonly value: ComponentChildren;
  /** Right of the number. */
  readonly unit?: ComponentChildren;
  /** One of the two first of the overview. */
  readonly isLarge?: boolean;
  /** What stands below: a meter, and lines. */
  readonly children?: ComponentChildren;
}

export function Figure({
  label,
  value,
  unit,
  isLarge = false,
  children,
}: FigureProps): JSX.Element {
  return (
    <div class="figure">
      <p class="label">{label}</p>
      <p class={isLarge ? 'value large' : 'value'}>
        {value}
        {unit !== undefined && <span class="unit"> {unit}</span>}
      </p>
      {children}
    </div>
  );
}
