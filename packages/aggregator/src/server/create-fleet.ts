import type { Catalog } from '../catalog/catalog.ts'
import type { Fleet, ServerStatus } from '../catalog/gateway.ts'
import type { Trust } from '../catalog/trust/trust.ts'
import type { Era } from '../protocol/message.ts'
import { unitName } from '../protocol/unit.ts'
import type { Instances } from '../upstream/instances.ts'
import type { ServerControl } from '../upstream/server-control.ts'
import type { ActiveConfig } from './active-config.ts'
import type { UnitTotals } from './unit-totals.ts'

interface FleetOptions {
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

export function createFleet(options: FleetOptions): Fleet {
  const { config, control, instances, totals, eraOf, catalog, trust, onReplaced } = options

  function statusOf(server: ServerStatus['server']): ServerStatus {
    const name = unitName(server)
    const statuses = instances.named(name).map((instance) => instance.status())
    return { server, era: eraOf(name), instances: statuses, ...totals.of(name) }
  }

  return {
    control,
    get servers() {
      return config.servers
    },
    get disabled() {
      return config.disabled
    },
    get profiles() {
      return config.profiles
    },
    status: () => [...config.units.values()].map(statusOf),
    statusOf,
    replace(configured) {
      const replaced = config.replace(configured)
      catalog.replace(configured.servers)
      trust.forget()
      for (const name of replaced.removed) control.remove(name)
      for (const name of replaced.changed) control.restart(name)
      onReplaced()
      return replaced
    },
    close: () => instances.stop(),
  }
}
