import { createHash } from 'node:crypto'
import type { ServerConfig } from '#servers/config/server-config'
import type { JsonObject } from '#servers/protocol/message'
import { createMemoryPinStore, type PinnedServer, type PinStore, pinnedPart } from './pin.ts'

/** A current definition; the hash is empty if pins are off. */
export interface Seen {
  definition: JsonObject
  hash: string
  reasons: string[]
}

/** Delay until approvals of another process take effect. */
const lookEveryMs = 20

interface CurrentPinsOptions {
  onLog: (text: string) => void
  now: () => number
}

/** The stored pins, and those that could not be stored. */
export class CurrentPins {
  readonly #store: PinStore
  readonly #options: CurrentPinsOptions
  readonly #unkept = createMemoryPinStore()
  /** The version that reviews are made of. */
  #version: ReturnType<PinStore['version']>
  #isLogged = false
  #lookAt = 0

  constructor(store: PinStore, options: CurrentPinsOptions) {
    this.#store = store
    this.#options = options
    this.#version = store.version()
  }

  read(name: string, source: string): PinnedServer | 'unreadable' {
    try {
      const pinned = this.#store.read(name, source)
      const here = this.#unkept.read(name, source)
      return {
        ...pinned,
        pins: Object.assign(Object.create(null), here.pins, pinned.pins),
        waiting: Object.assign(Object.create(null), here.waiting, pinned.waiting),
      }
    } catch {
      return 'unreadable'
    }
  }

  /** Pins tools without reasons and stores waiting ones. Writes only changes. */
  keep(
    { name, source }: { name: string; source: string },
    before: PinnedServer,
    tools: ReadonlyMap<string, Seen>,
  ): void {
    if (!hasNews(before, tools)) return
    const note = (pinned: PinnedServer): void => noteSeen(pinned, tools, this.#options.now())
    try {
      const version = this.#store.version()
      this.#store.change(name, source, note)
      // Our own change has been applied already; changes of others in the meantime have not.
      if (version === this.#version && this.#store.version() === version + 1)
        this.#version = version + 1
    } catch (error) {
      const { message } = error as Error
      if (!this.#isLogged)
        this.#options.onLog(
          `Pins cannot be stored (${message}); they are valid in this process only.`,
        )
      this.#isLogged = true
      this.#unkept.change(name, source, note)
    }
  }

  /** True once after another process has changed pins. Called several times per request. */
  haveChanged(): boolean {
    const time = performance.now()
    if (time < this.#lookAt) return false
    this.#lookAt = time + lookEveryMs
    const latest = this.#store.version()
    if (latest === this.#version) return false
    this.#version = latest
    return true
  }
}

const hasNews = (before: PinnedServer, tools: ReadonlyMap<string, Seen>): boolean =>
  [...tools].some(([tool, { hash, reasons }]) =>
    reasons.length > 0
      ? before.waiting[tool]?.hash !== hash
      : before.pins[tool] === undefined || before.waiting[tool] !== undefined,
  )

function noteSeen(
  { pins, waiting }: PinnedServer,
  tools: ReadonlyMap<string, Seen>,
  now: number,
): void {
  for (const [tool, { definition, hash, reasons }] of tools) {
    const part = pinnedPart(definition)
    if (reasons.length > 0) waiting[tool] = { hash, definition: part, reasons, seenAt: now }
    else {
      delete waiting[tool]
      pins[tool] ??= { hash, definition: part, pinnedAt: now }
    }
  }
}

/** Pins belong to a program or URL; secrets do not matter. */
export function sourceOfUnit(unit: ServerConfig): string {
  const parts =
    unit.type === 'stdio' ? [unit.command, unit.args.map(withoutVersion)] : [unit.type, unit.url]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/** A newer version of a package counts as the same server, whose tools are compared. */
const withoutVersion = (argument: string): string =>
  argument.replace(/^(@?[\w./-]+)@[\w.^~*-]+$/, '$1')
