import { pi } from '../../collector/importers/pi.ts';
import { recordedSessions } from '../collector/importers/support/imports.ts';
import { sessionFiles } from '../extension/support/sessions.ts';
import { importerSuite } from './importer.ts';

importerSuite({
  importer: pi,
  recordings: {
    directory: recordedSessions,
    files: sessionFiles.filter(({ host }) => host.startsWith('pi')),
  },
});
