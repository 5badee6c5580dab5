import { copyOfPins, emptyPins, type PinnedServer, type PinStore } from '@pith-mcp/aggregator'
import { createEdits, type Documents } from '../documents.ts'

/** Pins that replicas share. A change is valid in this process at once. */
export function createSharedPinStore(
  documents: Documents,
  onLog: (text: string) => void,
): PinStore & { settled(): Promise<void> } {
  const edits = createEdits<PinnedServer>(documents, 'pins', onLog)
  const nameOf = (server: string, source: string): string => `${server} ${source.slice(0, 8)}`
  /** Reviews compare pins with each request. */
  const copies = new WeakMap<PinnedServer, PinnedServer>()
  function copyFor(pinned: PinnedServer): PinnedServer {
    const copy = copies.get(pinned) ?? copyOfPins(pinned)
    copies.set(pinned, copy)
    return copy
  }
  return {
    read(server, source) {
      const pinned = edits.get(nameOf(server, source))
      return pinned === undefined ? emptyPins(server, source) : copyFor(pinned)
    },
    change(server, source, edit) {
      edits.change(nameOf(server, source), (pinned = emptyPins(server, source)) => {
        const pins = copyOfPins(pinned)
        edit(pins)
        return pins
      })
    },
    version: edits.version,
    all: () => [...edits.all().values()].map(copyFor),
    settled: edits.settled,
  }
}
