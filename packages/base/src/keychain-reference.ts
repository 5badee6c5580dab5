/** Service of our entries in the keychain. */
export const keychainService = 'pith'

/** The name of a secret there. A brace would end the reference. */
export const keychainName = (name: string): string => name.replace(/[^\w.@-]/g, '_')

/** What a configuration has in place of a secret. A slash separates service and account. */
export const referenceTo = (name: string): string =>
  `\${keychain:${keychainService}/${keychainName(name)}}`
