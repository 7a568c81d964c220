/** Answers about a session, with what a test is about. */
import type { ContextSeriesPoint, TimelineItem } from '@pi-ledger/contract/answers';

const begin = Date.parse('2026-11-22T09:00:00.000Z');

/** Seconds after the session began, as the API says times. */
export function second(seconds: number): string {
  return new Date(begin + seconds * 1_000).toISOString();
}

export function itemOf(item: Partial<TimelineItem>): TimelineItem {
  return {
    kind: 'turn',
    entryId: 't1',
    time: second(0),
    startedAt: null,
    durationMs: null,
    name: 'sonnet',
    turn: null,
    failed: false,
    status: null,
    firstTokenMs: null,
    tokens: null,
    cacheReadTokens: null,
    missedTokens: null,
    outputTokens: null,
    untilThresholdTokens: null,
    resultTokens: null,
    paths: [],
    costSource: null,
    costs: {},
    costsSoFar: {},
    run: null,
    subagent: null,
    merged: null,
    ...item,
  };
}

export function pointOf(point: Partial<ContextSeriesPoint>): ContextSeriesPoint {
  return {
    kind: 'turn',
    turn: 1,
    entryId: 't1',
    time: second(0),
    tokens: 100,
    heldTokens: 110,
    source: 'provider',
    freshTokens: 100,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 10,
    model: 'sonnet',
    windowTokens: null,
    thresholdTokens: null,
    bands: { system: 40, answers: 0, toolResults: 10, prompts: 20, unexplained: 30 },
    turnsCovered: 1,
    byBilling: {},
    ...point,
  };
}

export function costOf(nanoUsd: number, parts: object = {}) {
  return {
    nanoUsd: String(nanoUsd),
    inputNanoUsd: String(nanoUsd),
    cacheReadNanoUsd: '0',
    cacheWriteNanoUsd: '0',
    outputNanoUsd: '0',
    otherNanoUsd: '0',
    summaryNanoUsd: '0',
    unpricedRecords: 0,
    unreportedRecords: 0,
    ...parts,
  };
}
