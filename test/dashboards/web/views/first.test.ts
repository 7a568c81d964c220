import { describe, expect, it } from 'vitest';
import { standingWords } from '../../../../dashboards/web/app/standing-words.ts';
import { formatBytes, paceOf, shareRead } from '../../../../dashboards/web/views/first/progress.ts';

const importing = {
  isRunning: true,
  files: 149,
  filesToRead: 600,
  bytes: 200_000_000,
  bytesToRead: 800_000_000,
  startedAt: '2026-05-01T09:00:00.000Z',
  at: '2026-05-01T09:00:04.000Z',
};

describe('how far an import is', () => {
  it('has its share, its rate and the time left at that rate', () => {
    expect(shareRead(importing)).toBe(0.25);
    expect(paceOf(importing)).toEqual({ bytesPerS: 50_000_000, leftMs: 12_000 });
    expect(formatBytes(1_270_000_000)).toBe('1.27 GB');
    expect(formatBytes(57_400_000)).toBe('57 MB');
  });

  it('says no rate when it is too early, nothing is read, or it was interrupted', () => {
    expect(paceOf({ ...importing, at: importing.startedAt })).toBeNull();
    expect(paceOf({ ...importing, bytes: 0 })).toBeNull();
    expect(paceOf({ ...importing, isRunning: false })).toBeNull();
  });
});

describe('the words of the status line', () => {
  const view = { projection: 'sessions', isBehind: false, behindSince: null, setAside: 0 };
  const leftOut = { files: 0, count: 0 };
  const well = { trouble: null, problem: null, views: [view], importing: null, leftOut };

  it('say the gravest of what figures may lack', () => {
    expect(standingWords(well)).toBe('views are up to date');
    const behind = { ...well, views: [view, { ...view, projection: 'quota', isBehind: true }] };
    expect(standingWords(behind)).toBe('catching up: quota');
    expect(standingWords({ ...behind, leftOut: { files: 1, count: 1 } })).toBe(
      'lines not read may hold spend: see Health',
    );
    expect(standingWords({ ...behind, importing })).toBe('import: 149 of 600 files');
    const aside = { ...behind, importing, views: [{ ...view, setAside: 1 }] };
    expect(standingWords(aside)).toBe('events set aside are in no figure: see Health');
    expect(standingWords({ ...aside, problem: 'no space' })).toBe('views do not advance: no space');
    expect(standingWords({ ...aside, problem: 'x', trouble: 'disk full' })).toBe(
      'no events are accepted: disk full',
    );
  });
});
