/**
 * Other tools on the same session files: how long each takes to compute its totals. Some cache what
 * they read, none keeps the records. A tool that does not start, or gives no totals, gets a row
 * that says so.
 */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { peersIn, type Tool, type ToolTotals } from '../../../test/accounting-corpus/tools.ts';
import type { Row } from '../benchmark.ts';
import { cpuSecondsOfEndedChildren } from '../proc.ts';

/**
 * Measures the peers in `peersDirectory` that read pi's files, one after another, each with its own
 * home below `directory`.
 */
export async function measurePeers(
  peersDirectory: string,
  directory: string,
  sessions: string,
  bytes: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const peer of peersIn(peersDirectory).filter(({ hosts }) => hosts.includes('pi'))) {
    rows.push(
      await measurePeer(peer, join(directory, peer.name.replaceAll('/', '-')), sessions, bytes),
    );
  }
  return rows;
}

async function measurePeer(
  peer: Tool,
  home: string,
  sessions: string,
  bytes: number,
): Promise<Row> {
  mkdirSync(join(home, '.pi/agent'), { recursive: true });
  const linked = join(home, '.pi/agent/sessions');
  symlinkSync(sessions, linked);
  const cpuBefore = await cpuSecondsOfEndedChildren();
  const startedMs = performance.now();
  const row = { what: `${peer.name} ${peer.version}`, unit: 'MB/cpu-s' } as const;
  let totals: ToolTotals;
  try {
    totals = await peer.totals({
      home,
      directories: [{ host: 'pi', directory: linked }],
      config: {},
    });
  } catch (error) {
    return { ...row, measured: null, note: firstLineOf(error) };
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpuSeconds = (await cpuSecondsOfEndedChildren()) - cpuBefore;
  const tokens =
    totals.inputTokens + totals.outputTokens + totals.cacheReadTokens + totals.cacheWriteTokens;
  const note = `${seconds.toFixed(1)} s by the clock, ${(tokens / 1e6).toFixed(1)} million tokens`;
  return { ...row, measured: bytes / 1e6 / cpuSeconds, note };
}

const noteCharsMax = 100;

function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `skipped: ${line.slice(0, noteCharsMax)}`;
}
