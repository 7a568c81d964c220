/** The routes of the built-in page. */
import type { RouteGroup } from '../route-groups.ts';
import { severalAnswersRoutes } from './answers.ts';
import { createPageFiles } from './files.ts';
import { pageRoutes } from './routes.ts';

export interface PageGroupOptions {
  /** Where the built page is. */
  readonly directory: string;
}

export function pageGroup({ directory }: PageGroupOptions): RouteGroup {
  return async (app) => {
    await app.register(severalAnswersRoutes);
    await app.register(
      pageRoutes({ files: createPageFiles(directory), document: async (html) => html }),
    );
  };
}
