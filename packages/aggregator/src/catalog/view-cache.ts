import { showsApps } from '../protocol/apps.ts'
import type { JsonObject } from '../protocol/message.ts'
import { oncePer } from '../protocol/once-per.ts'
import type { Access } from '../protocol/request-context.ts'
import { capabilitiesKey } from '../upstream/connection/client-capabilities.ts'
import type { Profile } from './policy/profile.ts'
import { createView, type ToolView } from './tool-view.ts'
import type { ViewOptions } from './view-options.ts'

/** A client and its capabilities. */
export interface Viewer {
  session: { readonly access?: Access | undefined }
  capabilities: JsonObject
}

export interface ViewsOptions
  extends Pick<ViewOptions, 'trust' | 'withServer' | 'reserved' | 'claims'> {
  catalog: ViewOptions['catalog']
  profileOf: (access: Access | undefined) => Profile
}

/** Caches views by profile, version of the catalog, and what depends on capabilities. */
export function createViewCache(options: ViewsOptions): (viewer: Viewer) => ToolView {
  const { catalog, profileOf, ...shared } = options
  let version = -1
  let views = new Map<Profile, Map<string, ToolView>>()
  const abilitiesOf = oncePer(capabilitiesKey)
  return ({ session, capabilities }) => {
    if (version !== catalog.version) {
      version = catalog.version
      views = new Map()
    }
    const profile = profileOf(session.access)
    const isOne = profile.servers.every(({ instances }) => instances === undefined)
    const abilities = isOne ? String(showsApps(capabilities)) : abilitiesOf(capabilities)
    const ofProfile = views.get(profile) ?? new Map<string, ToolView>()
    views.set(profile, ofProfile)
    let view = ofProfile.get(abilities)
    if (view === undefined) {
      view = createView({ ...shared, catalog, profile, capabilities })
      ofProfile.set(abilities, view)
    }
    return view
  }
}
