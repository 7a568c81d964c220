/**
 * The producer: what this process records with, created once and shared by every evaluation of the
 * extension in it.
 *
 * pi 0.73 evaluates the module anew for each session, and omp runs the factory again for each
 * subagent; all of them must share sessions, spool and shipper. So the producer is stored under
 * `globalThis`. An extension that is updated while the host runs takes effect at the host's next
 * start.
 */

import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../contract/settings/read.ts';
import { type Contents, createContents } from '../core/content/contents.ts';
import { makeDirectory } from '../core/spool/directory.ts';
import { isReaderFresh, readerUrl } from '../core/spool/lease.ts';
import { systemObserver } from '../core/spool/liveness.ts';
import { createMarks } from '../core/spool/marks.ts';
import { readOwner } from '../core/spool/owner.ts';
import { createSpool, type Spool } from '../core/spool/spool.ts';
import { errorText } from '../core/text/error-text.ts';
import { createAttributor } from './attribution/attribution.ts';
import { systemClock } from './clock.ts';
import { addressText, type Config, readConfig } from './config.ts';
import { type Copies, createCopies } from './host/copies.ts';
import { identifyHost, modeOfProcess, runEndEvent } from './host/identity.ts';
import { createPauseStatus, type PauseStatus } from './host/pause-status.ts';
import { watchRequests } from './host/request-channel.ts';
import { settingsInFiles, settingsInModule } from './host/settings.ts';
import { recorderClock } from './live/clock.ts';
import { createAnnouncer, isPrivateProcess, readProcessParent } from './live/process-parent.ts';
import { createNotices, type Notices } from './notices.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { CollectorConnection } from './shipping/connection.ts';
import { createReaderWatch } from './shipping/reader-watch.ts';
import { createShipper, type Shipper } from './shipping/shipper.ts';
import { createTransport } from './shipping/transport.ts';
import { writeToTerminal } from './terminal.ts';

export interface Recording {
  readonly state: 'recording';
  readonly hostName: 'pi' | 'omp';
  readonly config: Config;
  readonly recorder: Recorder;
  readonly spool: Spool;
  readonly shipper: Shipper;
  readonly collector: CollectorConnection;
  readonly notices: Notices;
  readonly copies: Copies;
  readonly pauseStatus: PauseStatus;
  /** It is null unless `auditContent` is set: no texts are sent then. */
  readonly contents: Contents | null;
  /** A collector reads this spool, so nothing needs to be sent before the process ends. */
  isReaderFresh(): boolean;
}

/**
 * It is switched off, or its settings or its home are unusable: nothing is recorded, and `/ledger`
 * says why.
 */
export interface Idle {
  readonly state: 'disabled' | 'broken';
  /** Runs without a person may not start: the settings say so, and cannot be read. */
  readonly stopsRuns: boolean;
  readonly reason: string;
  readonly notices: Notices;
  readonly copies: Copies;
}

export type Producer = Recording | Idle;

/**
 * Contract: never throws. The first call creates the producer: it reads the settings and a few
 * small files.
 */
export function createProducer(pi: unknown): Producer {
  const shared = globalThis as { [producerKey]?: Producer };
  shared[producerKey] ??= makeProducer(pi, process.env);
  return shared[producerKey];
}

const producerKey = Symbol.for('pi-ledger.v1');

function makeProducer(pi: unknown, environment: Environment): Producer {
  const notices = createNotices(writeToTerminal);
  const idle = (state: Idle['state'], why: string, stopsRuns = false): Idle => {
    return {
      state,
      stopsRuns,
      reason: `pi-ledger records nothing: ${why}.`.replace(/\?\.$/, '?'),
      notices,
      copies: createCopies(),
    };
  };
  const broken = (why: string, stopsRuns = false): Idle => {
    const producer = idle('broken', why, stopsRuns);
    notices.add(producer.reason);
    return producer;
  };
  try {
    const result = readConfig(environment);
    switch (result.outcome) {
      case 'disabled':
        return idle('disabled', `it is switched off (${result.by})`);
      case 'broken':
        return broken(result.message, result.stopsRuns);
      case 'ready':
        makeWritable(result.config.spoolDirectory);
        report('ignores unknown settings', result.doubts, notices);
        report('cannot read some settings', result.leftOut, notices);
        return record(pi, result.config, notices, environment);
    }
  } catch (error) {
    return broken(errorText(error));
  }
}

function record(
  pi: unknown,
  config: Config,
  notices: Notices,
  environment: Environment,
): Recording {
  const { home, spoolDirectory, url, isUrlNamed, token, flushIntervalMs, spoolBytesMax } = config;
  const owner = readOwner();
  const urlInLease = () => readerUrl(spoolDirectory, systemClock.nowMs());
  const collector = { url: url ?? urlInLease, isUrlNamed, token, home, nowMs: systemClock.nowMs };
  const spool = createSpool({ spoolDirectory, owner, spoolBytesMax });
  const shipper = createShipper({
    spool,
    spoolDirectory,
    owner,
    url: addressText(config),
    flushIntervalMs,
    notify: notices.add,
    clock: systemClock,
    random: Math.random,
    transport: createTransport(collector),
    readerWatch: createReaderWatch({ spoolDirectory, clock: systemClock }),
  });
  const host = identifyHost(pi, { script: process.argv[1], executable: process.execPath });
  const mode = modeOfProcess();
  const attributor = createAttributor({
    host,
    fallbackMode: mode,
    homeDirectory: homedir(),
    agentName: config.agentName,
    utcOffsetMinutes: () => -new Date().getTimezoneOffset(),
  });
  const contents = config.auditContent ? contentsOf(notices) : null;
  const isPrivate = isPrivateProcess(process.env, () => systemObserver(owner));
  if (isPrivate) notices.add(privateNotice);
  const recorder = createRecorder({
    spool: withNotice(spool, config, notices),
    marks: createMarks({ spoolDirectory }),
    attributor,
    clock: recorderClock,
    runEnd: runEndEvent(host),
    hostName: host.name,
    settings:
      host.name === 'omp'
        ? settingsInModule(pi)
        : settingsInFiles({ agentDirectory: piDirectory(environment) }),
    parent: readProcessParent(process.env),
    isPrivate,
    // omp's tools do not inherit the environment.
    announceParent: host.name === 'pi' ? createAnnouncer(process.env, owner) : () => undefined,
    contents,
    // Bun's HTTP client does not tell of requests.
    watchRequests: process.versions.bun === undefined ? watchRequests : null,
    wake: shipper.wake,
  });
  return {
    state: 'recording',
    hostName: host.name,
    config,
    recorder,
    spool,
    shipper,
    collector,
    notices,
    copies: createCopies(),
    pauseStatus: createPauseStatus(mode),
    contents,
    isReaderFresh: () => isReaderFresh(spoolDirectory, Date.now(), owner),
  };
}

/** It may come unexpectedly: what a tool left running hands the parent's word on. */
const privateNotice =
  'pi-ledger does not record this session: the agent that started it is paused (/ledger pause).';

function report(what: string, messages: readonly string[], notices: Notices): void {
  if (messages.length > 0) notices.add(`pi-ledger ${what}: ${messages.join(' · ')}`);
}

/** The redaction library is a separate file in the bundle, loaded only when texts are requested. */
function contentsOf(notices: Notices): Contents {
  return createContents({
    import: async () =>
      (await import('../core/content/redactor.ts')).createRedactor({ homeDirectory: homedir() }),
    soon: recorderClock.soon,
    notify: notices.add,
  });
}

/** Where pi keeps its settings. */
function piDirectory(environment: Environment): string {
  const moved = environment.PI_CODING_AGENT_DIR;
  return moved ? moved.replace(/^~(?=\/|$)/, homedir()) : join(homedir(), '.pi', 'agent');
}

/**
 * Tells the user once about each way in which the spool refuses events; the number of refused
 * events is counted.
 */
function withNotice(
  spool: Spool,
  { spoolDirectory, spoolBytesMax }: Config,
  notices: Notices,
): Spool {
  let spoolFull = 0;
  return {
    ...spool,
    append(drafts) {
      const isTaken = spool.append(drafts);
      if (isTaken) return true;
      const drops = spool.drops();
      const isFull = drops.spoolFull > spoolFull;
      spoolFull = drops.spoolFull;
      const why = isFull
        ? `has reached its limit of ${spoolBytesMax} bytes (spoolBytesMax)`
        : 'cannot be written, perhaps because the disk is full';
      notices.add(`pi-ledger drops events: its spool in ${spoolDirectory} ${why}.`);
      return false;
    },
  };
}

/** Throws a message for the user when nothing can be stored there. */
function makeWritable(directory: string): void {
  try {
    makeDirectory(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`it cannot write to ${directory} (${(error as NodeJS.ErrnoException).code})`);
  }
}
