/** The routes of the built-in page. */
import type { RouteGroup } from '../route-group.ts';
import { severalAnswersRoutes } from './answers.ts';
import { createPageFiles } from './files.ts';
import { createFirstAnswers, type FirstAnswersOptions } from './first-answers.ts';
import { type LiveRouteOptions, liveRoute } from './live/route.ts';
import { pageRoutes } from './routes.ts';

export interface PageGroupOptions extends FirstAnswersOptions {
  readonly live: LiveRouteOptions;
}

export function pageGroup({ live, ...options }: PageGroupOptions): RouteGroup {
  return async (app, { access }) => {
    await app.register(severalAnswersRoutes);
    await app.register(liveRoute(access, live));
    // Who asks for the document has no token with them: a browser opens it.
    const first = access.mode === 'open' ? createFirstAnswers(app, options) : null;
    await app.register(pageRoutes({ files: createPageFiles(options.directory), first }));
  };
}
