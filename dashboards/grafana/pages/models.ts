/** How fast and how reliably models answer, tools run and agents finish. */
import type { Page } from '../kit/dashboard.ts';
import { answerFigures, answers } from './models-answers.ts';
import { runs, tools } from './models-tools.ts';

export const models: Page = {
  name: 'models',
  title: 'Models and tools',
  description: 'Durations, time to the first chunk, errors and retries of models; tools; runs.',
  variables: ['project', 'model', 'host', 'interval'],
  from: 'now-7d',
  page: '/models',
  sections: [
    { title: 'In short', panels: answerFigures },
    { title: 'Models', panels: answers },
    { title: 'Tools', panels: tools },
    { title: 'Runs', panels: runs },
  ],
};
