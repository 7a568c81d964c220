/** The progress of an import: one updating line on a terminal, or else a line every few seconds. */

import { grouped } from '@pi-ledger/contract/amounts';
import type { ScanCounts } from '../../importers/progress/scans.ts';
import { speedWords } from '../client/importing.ts';
import type { Terminal } from '../command.ts';

export interface ImportProgress {
  show(state: ScanCounts): void;
  /** Removes the line. */
  end(): void;
}

const barEveryMs = 100;
const lineEveryMs = 3_000;
const barChars = 24;

export function createImportProgress(terminal: Terminal): ImportProgress {
  const { showProgress } = terminal;
  const isTerminal = showProgress !== null;
  const everyMs = isTerminal ? barEveryMs : lineEveryMs;
  const beganMs = performance.now();
  let nextMs = beganMs + (isTerminal ? 0 : lineEveryMs);
  let isShown = false;
  return {
    show(state) {
      const nowMs = performance.now();
      if (nowMs < nextMs) return;
      nextMs = nowMs + everyMs;
      const seconds = (nowMs - beganMs) / 1_000;
      if (showProgress === null) return terminal.complain(lineOf(state, seconds));
      isShown = true;
      showProgress(
        `${barOf(state)} ${lineOf(state, seconds)}`.slice(0, (terminal.columns ?? 80) - 1),
      );
    },
    end() {
      if (isShown) showProgress?.('');
    },
  };
}

function barOf(state: ScanCounts): string {
  const filled = Math.round(shareOf(state) * barChars);
  return `[${'#'.repeat(filled)}${'.'.repeat(barChars - filled)}]`;
}

function lineOf(state: ScanCounts, seconds: number): string {
  const { files, filesToRead, bytes, bytesToRead, events } = state;
  return [
    `${Math.floor(shareOf(state) * 100)} %`,
    `${grouped(files)} of ${grouped(filesToRead)} files`,
    ...(bytes > 0 && seconds > 0 ? speedWords({ bytes, bytesToRead, seconds }) : []),
    `${grouped(events)} events`,
  ].join(', ');
}

function shareOf({ bytes, bytesToRead }: ScanCounts): number {
  return bytesToRead === 0 ? 1 : Math.min(1, bytes / bytesToRead);
}
