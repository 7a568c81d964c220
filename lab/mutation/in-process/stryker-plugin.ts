/** What Stryker loads. */
import { FileResults } from './file-results.ts';
import { InProcessRunner } from './in-process-runner.ts';

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'in-process', injectableClass: InProcessRunner },
  { kind: 'Reporter', name: 'file-results', injectableClass: FileResults },
];
