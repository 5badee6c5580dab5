import type { AddError, AddErrorCode } from './add-error.ts'

/** What to do about an error, in the options of `add`. */
const remedies: Readonly<Partial<Record<AddErrorCode, string>>> = {
  no_location: 'Pass --user to add it for all folders.',
  name_taken: 'Pass another --name, or --force to replace it.',
  file_changed: 'Try again.',
}

/** What is wrong, and what the user of a command line can do about it. */
export function describeAddError({ code, message }: AddError): string {
  const remedy = remedies[code]
  return remedy === undefined ? message : `${message} ${remedy}`
}
