/**
 * `62 %` of a share where 1 is all; the agent, the command line, the page and webhooks write it. It
 * is cut off: only what is full is 100 %. `<1 %` is more than nothing.
 */
export function shareText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 1) return '<1 %';
  // A share such as 0.29 is a little less as a floating point number.
  const whole = Math.floor(percent + 1e-9);
  return `${share < 1 ? Math.min(99, whole) : whole} %`;
}
