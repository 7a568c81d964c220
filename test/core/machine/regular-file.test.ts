/**
 * Something other than a file in its place blocks nobody: each of these used to hang or read
 * endlessly.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { createFileHeaders } from '../../../collector/importers/session/file-header.ts';
import { readCollectorFile } from '../../../collector/process/collector-file.ts';
import {
  readBeginning,
  readRegularFile,
  readRegularFileLater,
} from '../../../core/machine/regular-file.ts';
import {
  leaseFile,
  marksDirectory,
  ownerDirectory,
  rejectedFile,
  segmentName,
} from '../../../core/spool/layout.ts';
import { freshReader } from '../../../core/spool/lease.ts';
import { createMarks } from '../../../core/spool/marks.ts';
import { encodeOwner, readOwner } from '../../../core/spool/owner.ts';
import { readSegment } from '../../../core/spool/segment.ts';
import { createSpool } from '../../../core/spool/spool.ts';
import { readConfig } from '../../../extension/config.ts';
import { settingsInFiles } from '../../../extension/host/settings.ts';
import { draftsOf } from '../spool/support/drafts.ts';
import { temporaryDirectory } from '../spool/support/places.ts';

const made: Readonly<Record<string, (path: string) => void>> = {
  'a named pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a link to a pipe': (path) => {
    execFileSync('mkfifo', [`${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  'a file without end': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 64 * 1024 ** 3);
  },
};

/** How many descriptors this process has of these files: it may have others, which come and go. */
function openAmong(paths: readonly string[]): number {
  const places = new Set(paths.map((path) => realpathSync(path)));
  const open = readdirSync('/proc/self/fd').map((descriptor) =>
    codeOf(() => readlinkSync(join('/proc/self/fd', descriptor))),
  );
  return open.filter((place) => places.has(String(place))).length;
}

/** The error code that was thrown. */
const codeOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
};

describe.each(Object.entries(made))('%s in place of', (what, make) => {
  const placed = (path: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    make(path);
    return path;
  };
  const isEndless = what === 'a file without end';

  it('a file is an error with a code', async () => {
    const path = placed(join(temporaryDirectory(), 'file'));
    const code = isEndless ? 'TOO_LARGE' : 'NOT_A_REGULAR_FILE';
    expect(codeOf(() => readRegularFile(path, { bytesMax: 10 }))).toBe(code);
    expect(await readRegularFileLater(path, { bytesMax: 10 }).catch((error) => error.code)).toBe(
      code,
    );
    expect(codeOf(() => readBeginning(path, { bytesMax: 10 }))).toEqual(
      isEndless ? { bytes: Buffer.alloc(10), isWhole: false } : code,
    );
    expect(codeOf(() => readRegularFile(path, { bytesMax: 10, refuseLinks: true }))).toBe(
      what.startsWith('a link') ? 'ELOOP' : code,
    );
  });

  it('config.json is a problem that is named, for the extension and the collector', () => {
    const home = temporaryDirectory();
    placed(join(home, 'config.json'));
    expect(readConfig({ PI_LEDGER_HOME: home })).toMatchObject({
      outcome: 'broken',
      message: expect.stringContaining('config.json cannot be read'),
    });
    expect(() => loadCollectorConfig({ PI_LEDGER_HOME: home })).toThrow(
      /config\.json cannot be read/,
    );
  });

  it('collector.json is none', () => {
    const home = temporaryDirectory();
    placed(join(home, 'collector.json'));
    expect(readCollectorFile(home)).toBeNull();
  });

  it('the lease is none', () => {
    const spool = temporaryDirectory();
    placed(leaseFile(spool));
    expect(freshReader(spool, Date.now())).toBeNull();
  });

  it('a mark counts as missing, and writing it does not block', () => {
    const spoolDirectory = temporaryDirectory();
    const marks = createMarks({ spoolDirectory });
    placed(join(marksDirectory(spoolDirectory), 's1'));
    expect(marks.read('s1')).toBeNull();
    expect(marks.write('s1', { entryId: 'a', timestamp: 'b' })).toBe(isEndless);
  });

  it('a segment is left alone', async () => {
    expect(await readSegment(placed(join(temporaryDirectory(), segmentName(1))))).toMatchObject({
      state: 'unreadable',
    });
  });

  it('the host’s settings are none', () => {
    const agentDirectory = temporaryDirectory();
    placed(join(agentDirectory, 'settings.json'));
    expect(settingsInFiles({ agentDirectory }).read({})).toMatchObject({ source: 'default' });
  });

  it('the file that a session names as its parent is an ancestor that nobody can ask', () => {
    expect(
      createFileHeaders().of(
        placed(join(temporaryDirectory(), '2026-01-01T00-00-00-000Z_p.jsonl')),
      ),
    ).toBeNull();
  });

  it.skipIf(isEndless)('the open segment refuses the append, which is counted', () => {
    const spoolDirectory = temporaryDirectory();
    const owner = readOwner();
    // A separate path, since the state of this process' spool is keyed by its directory.
    placed(join(ownerDirectory(spoolDirectory, encodeOwner(owner)), segmentName(1)));
    const spool = createSpool({ spoolDirectory, owner, spoolBytesMax: 1 << 28 });
    expect(spool.append(draftsOf(1, 2))).toBe(false);
    expect(spool.drops()).toMatchObject({ spoolUnwritable: 2 });
  });
});

describe('a regular file', () => {
  it('is read whole, through links unless they are refused, up to its bound', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'file');
    writeFileSync(path, 'äbc');
    symlinkSync(path, join(directory, 'link'));
    for (const name of ['file', 'link']) {
      expect(readRegularFile(join(directory, name), { bytesMax: 4 })).toBe('äbc');
      expect(String(await readRegularFileLater(join(directory, name), { bytesMax: 4 }))).toBe(
        'äbc',
      );
    }
    expect(
      codeOf(() => readRegularFile(join(directory, 'link'), { bytesMax: 4, refuseLinks: true })),
    ).toBe('ELOOP');
    expect(codeOf(() => readRegularFile(path, { bytesMax: 3 }))).toBe('TOO_LARGE');
    expect(codeOf(() => readRegularFile(join(directory, 'gone'), { bytesMax: 3 }))).toBe('ENOENT');
    expect(codeOf(() => readRegularFile(directory, { bytesMax: 3 }))).toBe('EISDIR');
    expect(readBeginning(path, { bytesMax: 2 })).toEqual({
      bytes: Buffer.from('ä'),
      isWhole: false,
    });
    expect(readBeginning(path, { bytesMax: 4 })).toEqual({
      bytes: Buffer.from('äbc'),
      isWhole: true,
    });
  });

  it('leaves no descriptor open, whatever was wrong with it', async () => {
    if (process.platform !== 'linux') return;
    const directory = temporaryDirectory();
    const paths = Object.values(made).map((make, index) => {
      const path = join(directory, `f${index}`);
      make(path);
      return path;
    });
    const held = openSync(paths.at(-1) ?? '', 'r');
    expect(openAmong(paths)).toBe(1);
    closeSync(held);
    for (const path of paths) {
      codeOf(() => readRegularFile(path, { bytesMax: 1 }));
      await readRegularFileLater(path, { bytesMax: 1 }).catch(() => undefined);
    }
    expect(openAmong(paths)).toBe(0);
  });

  it('is not what is set aside to a pipe: the writer does not wait', async () => {
    const spoolDirectory = temporaryDirectory();
    const owner = readOwner();
    mkdirSync(join(spoolDirectory, 'rejected'));
    execFileSync('mkfifo', [rejectedFile(spoolDirectory, encodeOwner(owner))]);
    const { createRejected } = await import('../../../extension/shipping/rejected.ts');
    const { manualClock } = await import('../spool/support/manual-clock.ts');
    expect(
      await createRejected({ spoolDirectory, owner, clock: manualClock() }).add('{}', 400, 'no'),
    ).toBe('failed');
  });
});
