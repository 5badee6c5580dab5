/** A credential by its name: its id is in the details. */
export const callerName = (caller: string): string =>
  caller
    .replace(/^(token|jwt|session):(.*)#[^#]*$/s, (_, kind, name) => `${name} (${kind})`)
    .replace(/^owner$/, 'The owner')
    .replace(/^user:/, 'User ')
