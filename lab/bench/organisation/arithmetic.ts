/** From the cost of an event to what an organisation needs. Pure. */
import type { Row } from '../benchmark.ts';
import { partNames } from './chain.ts';
import type { Figures } from './figures.ts';

/** `eventsPerUserDay` is the demo's month: its events, by its users and working days. */
export const demand = {
  users: 50_000,
  eventsPerUserDay: 267,
  hoursPerDay: 8,
  peak: 5,
  workingDaysPerMonth: 21,
  retentionDays: 7,
};

export function peakEventsPerSecond(of = demand): number {
  return ((of.users * of.eventsPerUserDay) / (of.hoursPerDay * 3_600)) * of.peak;
}

export function arithmeticRows(figures: Figures): readonly Row[] {
  const peak = peakEventsPerSecond();
  const { kafkaBytes, databaseBytes } = figures;
  const { users, eventsPerUserDay, hoursPerDay, workingDaysPerMonth, retentionDays } = demand;
  const perDay = users * eventsPerUserDay;
  const perMonth = perDay * workingDaysPerMonth;
  return [
    {
      what: 'the peak',
      measured: peak,
      unit: 'events/s',
      note:
        `${users} users x ${eventsPerUserDay} events a day / ${hoursPerDay} h x ${demand.peak}; ` +
        `${(perDay / 1e6).toFixed(2)} million a day, ${(perMonth / 1e6).toFixed(0)} a month`,
    },
    ...partNames.map((part) => coresRow(part, figures, peak)),
    {
      what: `Kafka's disk, ${retentionDays} days, one replica`,
      measured: (perDay * Math.min(5, retentionDays) * kafkaBytes) / 1e9,
      unit: 'GB',
      note: `5 working days x ${(perDay / 1e6).toFixed(2)} million x ${kafkaBytes.toFixed(0)} B`,
    },
    {
      what: "the database's disk, a month",
      measured: (perMonth * databaseBytes) / 1e9,
      unit: 'GB',
      note: `${(perMonth / 1e6).toFixed(0)} million x ${databaseBytes.toFixed(0)} B`,
    },
  ];
}

function coresRow(
  part: (typeof partNames)[number],
  { cpuUs, idleCores }: Figures,
  peak: number,
): Row {
  return {
    what: `${part}, at the peak`,
    measured: (peak * cpuUs[part]) / 1e6 + idleCores[part],
    unit: 'cores',
    note:
      `${peak.toFixed(0)}/s x ${cpuUs[part].toFixed(0)} us, ` +
      `and ${idleCores[part].toFixed(3)} at rest`,
  };
}
