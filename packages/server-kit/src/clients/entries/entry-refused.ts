/** An entry cannot be translated; `message` gives the reason, without secrets. */
export class EntryRefused extends Error {
  override readonly name = 'EntryRefused'
}
