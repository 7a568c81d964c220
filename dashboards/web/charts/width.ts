import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Measured<Element extends HTMLElement> {
  readonly ref: { current: Element | null };
  /** It is the element's, in px; 0 before the first measure. */
  readonly width: number;
}

/** A chart is drawn for the width that it has. */
export function useWidth<Element extends HTMLElement>(): Measured<Element> {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
