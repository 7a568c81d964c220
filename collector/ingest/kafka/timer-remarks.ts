/** KafkaJS sets a timer of less than nothing with each request, which Node 24 remarks on. */

let isIgnored = false;

export function ignoreTimerRemarks(): void {
  if (isIgnored) return;
  isIgnored = true;
  const emit = process.emitWarning.bind(process) as (...remark: readonly unknown[]) => void;
  process.emitWarning = (...remark: readonly unknown[]) => {
    if (remark[1] !== 'TimeoutNegativeWarning') emit(...remark);
  };
}
