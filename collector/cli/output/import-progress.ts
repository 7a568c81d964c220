/** The progress of an import: one updating line on a terminal, or else a line every few seconds. */
import type { ScanCounts } from '../../importers/scan.ts';
import type { Terminal } from '../command.ts';
import { formatCount } from './format.ts';

export interface ImportProgress {
  show(standing: ScanCounts): void;
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
    show(standing) {
      const nowMs = performance.now();
      if (nowMs < nextMs) return;
      nextMs = nowMs + everyMs;
      if (showProgress === null) return terminal.complain(lineOf(standing));
      isShown = true;
      showProgress(`${barOf(standing)} ${lineOf(standing)}`.slice(0, (terminal.columns ?? 80) - 1));
    },
    end() {
      if (isShown) showProgress?.('');
    },
  };
}

function barOf(standing: ScanCounts): string {
  const filled = Math.round(shareOf(standing) * barChars);
  return `[${'#'.repeat(filled)}${'.'.repeat(barChars - filled)}]`;
}

function lineOf(standing: ScanCounts): string {
  const { files, filesToRead, bytes, events } = standing;
  const percent = Math.floor(shareOf(standing) * 100);
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
