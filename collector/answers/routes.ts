/** The routes of every question to the ledger, and of every operation on it. */
import { routes as agent } from './agent/route.ts';
import { routes as billing } from './billing/route.ts';
import { routes as deliveries } from './budgets/deliveries-route.ts';
import { routes as budgets } from './budgets/route.ts';
import { routes as compactions } from './compactions/route.ts';
import { routes as context } from './context/route.ts';
import { routes as deadLetters } from './dead-letters/route.ts';
import { routes as standing } from './health/standing-route.ts';
import { routes as insights } from './insights/route.ts';
import { routes as labels } from './labels/route.ts';
import { routes as ownLog } from './log/own-route.ts';
import { routes as log } from './log/route.ts';
import { routes as metrics } from './metrics/route.ts';
import { routes as producers } from './producers/route.ts';
import type { OperationSources, Question, Routes } from './question.ts';
import { routes as quota } from './quota/route.ts';
import { routes as rebuild } from './rebuild/route.ts';
import { routes as reprice } from './reprice/route.ts';
import { routes as requests } from './requests/route.ts';
import { routes as seal } from './seal/route.ts';
import { routes as sessions } from './sessions/route.ts';
import { routes as timeline } from './timeline/route.ts';
import { routes as timings } from './timings/route.ts';
import { routes as tokens } from './tokens/route.ts';
import { routes as tools } from './tools/route.ts';
import { routes as usage } from './usage/route.ts';
import { routes as usageRows } from './usage/rows-route.ts';
import { routes as totals } from './usage/totals-route.ts';
import { routes as withdrawals } from './withdrawals/route.ts';

const both = ['views', 'turn'] as const;

export const questions: readonly Question[] = [
  { routes: log, waitsFor: ['turn'] },
  // Made once for all who ask meanwhile: they need no turns.
  { routes: metrics, waitsFor: ['views'] },
  // It has turns of its own.
  { routes: totals, waitsFor: ['views'] },
  { routes: ownLog, waitsFor: both },
  { routes: usage, waitsFor: both },
  { routes: usageRows, waitsFor: both },
  { routes: quota, waitsFor: both },
  { routes: budgets, waitsFor: both },
  { routes: agent, waitsFor: both },
  { routes: reprice, waitsFor: both },
  { routes: sessions, waitsFor: both },
  { routes: context, waitsFor: both },
  { routes: timeline, waitsFor: both },
  { routes: requests, waitsFor: both },
  { routes: compactions, waitsFor: both },
  { routes: timings, waitsFor: both },
  { routes: tools, waitsFor: both },
  { routes: insights, waitsFor: both },
  { routes: producers, waitsFor: both },
  { routes: standing, waitsFor: [] },
];

/** What administrators do. */
export const operations: readonly Routes<OperationSources>[] = [
  billing,
  deliveries,
  deadLetters,
  labels,
  rebuild,
  seal,
  tokens,
  withdrawals,
];
