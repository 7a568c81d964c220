/** The progress of an import: one updating line on a terminal, or else a line every few seconds. */
import type { ScanCounts } from '../../importers/scan.ts';
import type { Terminal } from '../command.ts';
import { formatCount } from './format.ts';

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
  let nextMs = performance.now() + (isTerminal ? 0 : lineEveryMs);
  let isShown = false;
  return {
    show(state) {
      const nowMs = performance.now();
      if (nowMs < nextMs) return;
      nextMs = nowMs + everyMs;
      if (showProgress === null) return terminal.complain(lineOf(state));
      isShown = true;
      showProgress(`${barOf(state)} ${lineOf(state)}`.slice(0, (terminal.columns ?? 80) - 1));
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

function lineOf(state: ScanCounts): string {
  const { files, filesToRead, bytes, events } = state;
  const percent = Math.floor(shareOf(state) * 100);
  const megabytes = (bytes / 1e6).toFixed(0);
  return [
    `${percent} %`,
    `${formatCount(files)} of ${formatCount(filesToRead)} files`,
    `${megabytes} MB`,
    `${formatCount(events)} events`,
  ].join(', ');
}

function shareOf({ bytes, bytesToRead }: ScanCounts): number {
  return bytesToRead === 0 ? 1 : Math.min(1, bytes / bytesToRead);
}
