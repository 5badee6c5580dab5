/**
 * A file cannot be edited and was not changed; `message` gives the reason as a clause, without its
 * values.
 */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}
