import type { Catalog } from '../catalog/catalog.ts'
import type { Fleet, ServerStatus } from '../catalog/gateway.ts'
import type { Profiles } from '../catalog/policy/access.ts'
import type { Trust } from '../catalog/trust/trust.ts'
import type { Configured, Replaced } from '../config/configured.ts'
import type { Era } from '../protocol/message.ts'
import { unitName } from '../protocol/unit.ts'
import type { Instances } from '../upstream/instances.ts'
import type { ServerControl } from '../upstream/server-control.ts'
import type { ActiveConfig } from './active-config.ts'
import type { UnitTotals } from './unit-totals.ts'

interface ConfiguredFleetOptions {
  config: ActiveConfig
  control: ServerControl
  instances: Instances
  totals: UnitTotals
  eraOf: (unit: string) => Era | undefined
  catalog: Catalog
  trust: Trust
  /** The configuration was replaced. */
  onReplaced: () => void
}

export class ConfiguredFleet implements Fleet {
  readonly control: ServerControl
  readonly #options: ConfiguredFleetOptions

  constructor(options: ConfiguredFleetOptions) {
    this.control = options.control
    this.#options = options
  }

  get servers(): Fleet['servers'] {
    return this.#options.config.servers
  }

  get disabled(): readonly string[] {
    return this.#options.config.disabled
  }

  get profiles(): Profiles {
    return this.#options.config.profiles
  }

  status(): ServerStatus[] {
    return [...this.#options.config.units.values()].map((unit) => this.statusOf(unit))
  }

  statusOf(server: ServerStatus['server']): ServerStatus {
    const { instances, totals, eraOf } = this.#options
    const name = unitName(server)
    const statuses = instances.named(name).map((instance) => instance.status())
    return { server, era: eraOf(name), instances: statuses, ...totals.of(name) }
  }

  replace(configured: Configured): Replaced {
    const { config, catalog, trust, onReplaced } = this.#options
    const replaced = config.replace(configured)
    catalog.replace(configured.servers)
    trust.forget()
    for (const name of replaced.removed) this.control.remove(name)
    for (const name of replaced.changed) this.control.restart(name)
    onReplaced()
    return replaced
  }

  async close(): Promise<void> {
    await this.#options.instances.stop()
  }
}
