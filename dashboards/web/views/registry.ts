/** The views: what the navigation calls each, by which key one goes there, and its code. */
import type { ViewName } from './names.ts';
import { Overview } from './overview/overview.tsx';
import type { ViewComponent } from './view.ts';

export interface ViewEntry {
  readonly title: string;
  /** After `g`. */
  readonly key: string;
  /** Its figures follow the scope bar. */
  readonly isScoped: boolean;
  load(): Promise<ViewComponent>;
}

const projects = () => import('./projects/projects.tsx').then(({ Projects }) => Projects);
const models = () => import('./models/models.tsx').then(({ Models }) => Models);
const sessions = () => import('./sessions/sessions.tsx').then(({ Sessions }) => Sessions);
const budgets = () => import('./budgets/budgets.tsx').then(({ Budgets }) => Budgets);
const health = () => import('./health/health.tsx').then(({ Health }) => Health);
const compactions = () => import('./compactions/compactions.tsx').then((file) => file.Compactions);
const insights = () => import('./insights/insight.tsx').then((file) => file.InsightRows);
const nowhere = () => import('./nowhere.tsx').then((file) => file.Nowhere);
const overview = () => Promise.resolve(Overview);

export const views: Readonly<Record<ViewName, ViewEntry>> = {
  overview: { title: 'Overview', key: 'o', isScoped: true, load: overview },
  projects: { title: 'Projects', key: 'p', isScoped: true, load: projects },
  sessions: { title: 'Sessions', key: 's', isScoped: true, load: sessions },
  compactions: { title: 'Compactions', key: 'c', isScoped: true, load: compactions },
  models: { title: 'Models and tools', key: 'm', isScoped: true, load: models },
  budgets: { title: 'Budgets', key: 'b', isScoped: false, load: budgets },
  health: { title: 'Health', key: 'h', isScoped: false, load: health },
  insights: { title: 'Needs attention', key: '', isScoped: true, load: insights },
  nowhere: { title: 'No such page', key: '', isScoped: false, load: nowhere },
};
