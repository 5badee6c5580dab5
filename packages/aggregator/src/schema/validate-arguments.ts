/** What is wrong with arguments, in words; undefined if nothing is. */
export type ValidateArguments = (args: unknown, schema: unknown) => string | undefined
