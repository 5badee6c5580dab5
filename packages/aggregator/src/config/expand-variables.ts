export type Environment = Readonly<Record<string, string | undefined>>

/** `${NAME}` and `${env:NAME}`, both with an optional `:-default`; `$${` is an escaped `${`. */
const reference = /\$(\$\{)|\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{([^}]*)\}/g

/** Looked up when the server starts. */
const resolvedLater = /^(?:file|keychain|command):/

/**
 * Delimits references that are looked up later. Environment variables and arguments of a process
 * cannot contain it, so that no expanded value can pass for a reference.
 */
export const lookUpMarker = '\0'

export interface Expanded {
  text: string
  /** References to variables that have neither a value nor a default. */
  missing: string[]
  /** Values of the expanded variables. */
  values: string[]
}

/** Expands environment variables in a text. An empty variable counts as unset, as in shells. */
export function expandVariables(text: string, environment: Environment): Expanded {
  const missing: string[] = text.includes(lookUpMarker) ? ['the character U+0000'] : []
  const values: string[] = []
  const expanded = text.replace(
    reference,
    (whole, escaped?: string, name?: string, otherwise?: string, other?: string) => {
      if (escaped !== undefined) return escaped
      if (other !== undefined && resolvedLater.test(other))
        return `${lookUpMarker}${other}${lookUpMarker}`
      const isSet = name !== undefined && Object.hasOwn(environment, name)
      const value = (isSet && environment[name]) || otherwise
      if (value === undefined) missing.push(whole)
      else values.push(value)
      return value ?? ''
    },
  )
  return { text: expanded, missing, values }
}

/** Replaces each reference that is looked up later by `x`. */
export const withoutLookUps = (text: string): string =>
  text
    .split(lookUpMarker)
    .map((part, index) => (index % 2 === 0 ? part : 'x'))
    .join('')
