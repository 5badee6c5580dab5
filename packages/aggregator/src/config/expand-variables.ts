export type Environment = Readonly<Record<string, string | undefined>>

/** `${NAME}`, `${env:NAME}`, either with `:-default`; `$${` stands for itself. */
const reference = /\$(\$\{)|\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{([^}]*)\}/g

/** Looked up when a server starts, and not before. */
const lookedUpLater = /^(?:file|keychain|command):/

/**
 * What is looked up later stands between two of these. No variable of an environment and no argument
 * of a process holds one, so that nothing that is put in can pass for it.
 */
export const lookUpMark = '\0'

export interface Expanded {
  text: string
  /** Variables without a value and a default, as they were written. */
  missing: string[]
  /** What was put in for variables. */
  values: string[]
}

/** Put variables of an environment into a text. An empty variable counts as not set, as in shells. */
export function expandVariables(text: string, environment: Environment): Expanded {
  const missing: string[] = text.includes(lookUpMark) ? ['a character of code 0'] : []
  const values: string[] = []
  const expanded = text.replace(
    reference,
    (whole, escaped?: string, name?: string, otherwise?: string, other?: string) => {
      if (escaped !== undefined) return escaped
      if (other !== undefined && lookedUpLater.test(other))
        return `${lookUpMark}${other}${lookUpMark}`
      const isSet = name !== undefined && Object.hasOwn(environment, name)
      const value = (isSet && environment[name]) || otherwise
      if (value === undefined) missing.push(whole)
      else values.push(value)
      return value ?? ''
    },
  )
  return { text: expanded, missing, values }
}

/** With an `x` for each thing that is looked up later. */
export const withoutLookUps = (text: string): string =>
  text
    .split(lookUpMark)
    .map((part, index) => (index % 2 === 0 ? part : 'x'))
    .join('')
