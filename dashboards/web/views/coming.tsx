import type { JSX } from 'preact';
import { Empty } from '../parts/section.tsx';

/** For a view that is not built yet. */
export function Coming(): JSX.Element {
  return <Empty>This view is not built yet. The command line has its numbers.</Empty>;
}
