/**
 * The longest that a test waits for one thing. Nothing is timed by it: waiting ends as soon as the
 * thing is there, and this ends what hangs. What takes a second on an idle machine was seen to take
 * a minute on a busy one.
 */
export const waitMsMax = 600_000;
