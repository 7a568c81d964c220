/** Saves the charts of the section that it stands in as a picture. */
import type { JSX } from 'preact';
import { Press } from './press.tsx';

export interface PictureButtonProps {
  /** Below the picture's title: what the charts are of. */
  readonly scope: string;
}

export function PictureButton({ scope }: PictureButtonProps): JSX.Element {
  const act = async (button: HTMLElement) => {
    const section = button.closest('section');
    if (section === null) throw new Error('there is no chart');
    const { savePicture } = await import('./picture/save.ts');
    await savePicture(section, scope);
    return 'Saved';
  };
  return <Press words="PNG" title="Save as a picture" failed="Not saved" act={act} />;
}
