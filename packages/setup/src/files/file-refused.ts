/** A file is not what it should be, and is left as it is; `message` says why, without its values. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}
