import type { JSX } from 'preact';
import { Coming } from '../../coming.tsx';
import type { ViewProps } from '../../view.ts';

export function SessionList(_: ViewProps): JSX.Element {
  return <Coming />;
}
