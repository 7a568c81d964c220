/**
 * Records whose spend nobody tells are attempts of answers, requests by packages, or answers known
 * only from event streams. An older collector does not tell how many the last two are. Pure, and
 * without a library: the page has it.
 */
export interface Unreported {
  readonly unreportedRecords: number;
  readonly packageRequests?: number;
  readonly streamedAnswers?: number;
}

export function countAttempts(figures: Unreported): number {
  const { unreportedRecords, packageRequests = 0, streamedAnswers = 0 } = figures;
  return unreportedRecords - packageRequests - streamedAnswers;
}
