import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../state/page.ts';

/** Where tokens are on: one is pasted, and kept in this tab alone. */
export function SignIn({ message }: { message: string }): JSX.Element {
  const page = usePage();
  const [token, setToken] = useState('');
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() !== '') page.signIn(token.trim());
      }}
    >
      <h1>Sign in</h1>
      <p>{message}</p>
      <p class="row">
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="pil_…"
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <button type="submit" class="button">
          Sign in
        </button>
      </p>
      <p class="note">
        Kept in this tab alone. <code>pi-ledger token create --user NAME --scope read</code> makes
        one.
      </p>
    </form>
  );
}
