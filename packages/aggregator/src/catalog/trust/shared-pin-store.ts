import { createEdits, type Documents } from '../../storage/documents.ts'
import { copyOf, emptyPins, type PinnedServer, type PinStore } from './pin.ts'

/** Pins that replicas share. A change is valid in this process at once. */
export function createSharedPinStore(
  documents: Documents,
  onLog: (text: string) => void,
): PinStore & { settled(): Promise<void> } {
  const edits = createEdits<PinnedServer>(documents, 'pins', onLog)
  const nameOf = (server: string, source: string): string => `${server} ${source.slice(0, 8)}`
  /** Reviews compare pins with each request. */
  const copies = new WeakMap<PinnedServer, PinnedServer>()
  function known(stored: PinnedServer): PinnedServer {
    const copy = copies.get(stored) ?? copyOf(stored)
    copies.set(stored, copy)
    return copy
  }
  return {
    read(server, source) {
      const stored = edits.get(nameOf(server, source))
      return stored === undefined ? emptyPins(server, source) : known(stored)
    },
    change(server, source, edit) {
      edits.change(nameOf(server, source), (stored = emptyPins(server, source)) => {
        const pins = copyOf(stored)
        edit(pins)
        return pins
      })
    },
    version: edits.version,
    all: () => [...edits.all().values()].map(known),
    settled: edits.settled,
  }
}
