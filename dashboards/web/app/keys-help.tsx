import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { keyBindings } from './keys.ts';
import { areLettersOff, switchLetters } from './letters.ts';

const inTables = [
  { keys: 'j k', words: 'The next and the last row; arrows do the same' },
  { keys: 'Enter', words: 'Open the row' },
  { keys: 'Space', words: 'The story of the row' },
];

export function KeysHelp(): JSX.Element {
  const [isOff, setOff] = useState(areLettersOff());
  return (
    <>
      <h2>Keys</h2>
      <dl class="keys">
        {[{ keys: 'Ctrl K', words: 'Go to, or search' }, ...keyBindings, ...inTables].map(
          ({ keys, words }) => (
            <div key={keys}>
              <dt>
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{words}</dd>
            </div>
          ),
        )}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={!isOff}
          onChange={() => {
            switchLetters();
            setOff(areLettersOff());
          }}
        />{' '}
        Letters are keys
      </label>
    </>
  );
}
