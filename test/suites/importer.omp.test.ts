import { omp } from '../../collector/importers/omp.ts';
import { recordedSessions } from '../collector/importers/support/imports.ts';
import { sessionFiles } from '../extension/support/sessions.ts';
import { importerSuite } from './importer.ts';

importerSuite({
  importer: omp,
  recordings: {
    directory: recordedSessions,
    files: sessionFiles.filter(({ host }) => host.startsWith('omp')),
  },
});
