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

export type Expander = ReturnType<typeof createExpander>

/** Expands environment variables. An empty variable counts as unset, as in shells. */
export function createExpander(environment: Environment) {
  /** What is wrong with the texts, such as variables that have neither a value nor a default. */
  const problems: string[] = []
  /** Values of the expanded variables. */
  const variables: string[] = []
  return {
    problems,
    variables,
    /** `at` names the text in `problems`. */
    expand(text: string, at: string): string {
      const miss = (what: string) => problems.push(`${at} refers to ${what}, which is not set`)
      if (text.includes(lookUpMarker)) miss('the character U+0000')
      return text.replace(
        reference,
        (match, escaped?: string, name?: string, otherwise?: string, lookUp?: string) => {
          if (escaped !== undefined) return escaped
          if (lookUp !== undefined && resolvedLater.test(lookUp))
            return `${lookUpMarker}${lookUp}${lookUpMarker}`
          const isSet = name !== undefined && Object.hasOwn(environment, name)
          const value = (isSet && environment[name]) || otherwise
          if (value === undefined) miss(match)
          else variables.push(value)
          return value ?? ''
        },
      )
    },
  }
}

/** Replaces each reference that is looked up later by `x`. */
export const withoutLookUps = (text: string): string =>
  text
    .split(lookUpMarker)
    .map((part, index) => (index % 2 === 0 ? part : 'x'))
    .join('')
