import type { JSX } from 'preact';
import type { ViewProps } from '../view.ts';
import { Project } from './project.tsx';
import { ProjectList } from './project-list.tsx';

export function Projects(view: ViewProps): JSX.Element {
  return view.place.id === null ? (
    <ProjectList {...view} />
  ) : (
    <Project key={view.place.id} {...view} />
  );
}
