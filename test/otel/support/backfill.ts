/** A Prometheus that holds given samples and scrapes nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  dataDirectory,
  type Prometheus,
  promtool,
  startPrometheus,
} from '../../services/prometheus/prometheus.ts';

/** @param text of OpenMetrics with times */
export async function prometheusWith(directory: string, text: string): Promise<Prometheus> {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'samples.txt');
  writeFileSync(path, text);
  const blocks = ['create-blocks-from', '--max-block-duration=720h', 'openmetrics'];
  await promtool('tsdb', ...blocks, path, dataDirectory(directory));
  return startPrometheus(directory, { targets: [] });
}
