import { showsApps } from '#servers/protocol/apps'
import type { JsonObject } from '#servers/protocol/message'
import type { Access } from '#servers/protocol/request-context'
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

/** Caches views by profile, version of the catalog, and whether the client shows apps. */
export function createViewCache(options: ViewsOptions): (viewer: Viewer) => ToolView {
  const { catalog, profileOf, ...shared } = options
  let version = -1
  let views = new Map<Profile, Map<boolean, ToolView>>()
  return ({ session, capabilities }) => {
    if (version !== catalog.version) {
      version = catalog.version
      views = new Map()
    }
    const profile = profileOf(session.access)
    const isShown = showsApps(capabilities)
    const ofProfile = views.get(profile) ?? new Map<boolean, ToolView>()
    views.set(profile, ofProfile)
    let view = ofProfile.get(isShown)
    if (view === undefined) {
      view = createView({ ...shared, catalog, profile, capabilities })
      ofProfile.set(isShown, view)
    }
    return view
  }
}
