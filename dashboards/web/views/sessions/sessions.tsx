/** `/sessions`, and `/sessions/ID`. */
import type { JSX } from 'preact';
import type { ViewProps } from '../view.ts';
import { SessionList } from './list/session-list.tsx';
import { SessionView } from './session/session.tsx';

export function Sessions(props: ViewProps): JSX.Element {
  return props.place.id === null ? <SessionList {...props} /> : <SessionView {...props} />;
}
