/** Parts of the page whose code comes when they are first shown. */
import { useEffect, useState } from 'preact/hooks';

type Loaded<Part> =
  | { readonly is: 'loading' }
  | { readonly is: 'loaded'; readonly part: Part }
  /** Browsers do not ask again for code that did not come: the page must be opened anew. */
  | { readonly is: 'failed' };

export function useLoaded<Part>(load: () => Promise<Part>): Loaded<Part> {
  const [held, setHeld] = useState<{ of: typeof load; loaded: Loaded<Part> } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const hold = (loaded: Loaded<Part>) => isWanted && setHeld({ of: load, loaded });
    load().then(
      (part) => hold({ is: 'loaded', part }),
      () => hold({ is: 'failed' }),
    );
    return () => {
      isWanted = false;
    };
  }, [load]);
  return held?.of === load ? held.loaded : { is: 'loading' };
}
