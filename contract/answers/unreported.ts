/**
 * Of the records whose spend nobody tells, how many are attempts of answers: the rest are requests
 * by packages and answers known only from event streams. An older collector does not tell these.
 * Pure, and without a library: the page has it.
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
