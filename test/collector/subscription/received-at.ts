/** When the events of these tests were received, all of them. */
export const receivedAtMs = 1_795_300_000_000;
