import type { Plan } from './set-up.ts';
import { extensionIn, findHosts } from './steps/extension.ts';
import { askFooter } from './steps/footer.ts';
import { askBilling, importHistory } from './steps/history.ts';
import { openPage } from './steps/page.ts';
import { installService } from './steps/service.ts';
import { choosePort } from './steps/settings.ts';
import { type DataOptions, removeData } from './undo/data.ts';
import { removeExtension } from './undo/extension.ts';
import { removeCopy, removeNode, removeService, stopCollector } from './undo/service.ts';
import { takeOutSettings } from './undo/settings.ts';

const manner = 'Each step asks first: Enter says yes, n no. Ctrl-C stops, and nothing is lost.';

export const init: Plan = {
  command: 'init',
  begins: manner,
  steps: [
    findHosts,
    extensionIn('pi'),
    extensionIn('omp'),
    askFooter,
    choosePort,
    importHistory,
    askBilling,
    installService,
    openPage,
  ],
  ends: 'Done. What init did, `pi-ledger uninstall` undoes.',
};

export function uninstall(options: DataOptions): Plan {
  return {
    command: 'uninstall',
    begins: manner,
    steps: [
      removeService,
      stopCollector,
      removeExtension('pi'),
      removeExtension('omp'),
      takeOutSettings,
      removeCopy,
      removeNode,
      removeData(options),
    ],
    ends: 'Done.',
  };
}
