import type { Configured, Replaced } from '#servers/config/server-config'
import { isSameLaunch, type ServerConfig, unitsOf } from '#servers/config/server-config'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { Session } from '#servers/protocol/request-context'
import { qualifiedName, type ServerAccount } from '#servers/protocol/server-account'
import { createProfiles, type Profiles } from '../catalog/policy/access.ts'
import { createPermissions, type Permissions } from '../catalog/policy/permissions.ts'

/** The configuration in force. */
export class ActiveConfig {
  #now: ReturnType<typeof derived>

  constructor(configured: Configured) {
    this.#now = derived(configured)
  }

  get configured(): Configured {
    return this.#now.configured
  }

  get profiles(): Profiles {
    return this.#now.profiles
  }

  get permissions(): Permissions {
    return this.#now.permissions
  }

  /** Servers, or each account of a server, by name. */
  get units(): ReadonlyMap<string, ServerConfig> {
    return this.#now.units
  }

  /**
   * The unit as it is configured now; `unit` may come from an older view.
   * @throws {AggregatorError} `upstream_down` if it was removed
   */
  currentUnit(unit: ServerAccount): ServerConfig {
    const current = this.units.get(qualifiedName(unit))
    if (current !== undefined) return current
    throw new AggregatorError(
      'upstream_down',
      `The server ${qualifiedName(unit)} was removed from the configuration.`,
      'Find the available tools with search_tools.',
    )
  }

  /** Sessions get no notifications of servers outside their profile. */
  readonly canSee = (session: Session, unit: ServerAccount): boolean =>
    this.profiles.of(session.access).servers.some(({ name }) => name === unit.name)

  /** Names of the units that differ. */
  replace(configured: Configured): Replaced {
    const before = this.units
    this.#now = derived(configured)
    const { units } = this
    return {
      removed: [...before.keys()].filter((name) => !units.has(name)),
      added: [...units.keys()].filter((name) => !before.has(name)),
      changed: [...before].flatMap(([name, old]) => {
        const unit = units.get(name)
        return unit && !isSameLaunch(old, unit) ? [name] : []
      }),
    }
  }
}

const derived = (configured: Configured) => ({
  configured,
  profiles: createProfiles(configured.profiles ?? {}, configured.servers, configured.callers),
  permissions: createPermissions(configured.permissions, configured.servers),
  units: new Map(
    configured.servers.flatMap(unitsOf).map((unit) => [qualifiedName(unit), unit] as const),
  ),
})
